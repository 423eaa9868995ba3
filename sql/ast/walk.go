package ast

import (
	"reflect"
	"sync"
)

// Walk calls visit for n and, where it answers true, for every node below it, parents first and in the order of the
// struct's fields. A nil node is skipped. Nodes held by value (an OrderItem, say) are visited as pointers into their parent.
func Walk(n Node, visit func(Node) bool) {
	if v := reflect.ValueOf(n); v.IsValid() {
		walkValue(v, visit)
	}
}

// walkPlan is the list of a struct type's fields that can hold nodes.
type walkPlan struct {
	isNode bool
	fields []int
}

var (
	nodeType  = reflect.TypeFor[Node]()
	locType   = reflect.TypeFor[Loc]()
	walkPlans sync.Map // reflect.Type -> walkPlan
)

func walkPlanOf(t reflect.Type) walkPlan {
	if p, ok := walkPlans.Load(t); ok {
		return p.(walkPlan)
	}
	p := walkPlan{isNode: reflect.PointerTo(t).Implements(nodeType)}
	for i := range t.NumField() {
		ft := t.Field(i).Type
		for ft.Kind() == reflect.Slice || ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		if ft != locType && (ft.Kind() == reflect.Struct || ft.Kind() == reflect.Interface) {
			p.fields = append(p.fields, i)
		}
	}
	walkPlans.Store(t, p)
	return p
}

func walkValue(v reflect.Value, visit func(Node) bool) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			walkValue(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkValue(v.Index(i), visit)
		}
	case reflect.Struct:
		walkStruct(v, visit)
	}
}

func walkStruct(v reflect.Value, visit func(Node) bool) {
	p := walkPlanOf(v.Type())
	if p.isNode && v.CanAddr() && !visit(v.Addr().Interface().(Node)) {
		return
	}
	for _, i := range p.fields {
		walkValue(v.Field(i), visit)
	}
}
