package ast

// String tmp
func String(n Node) string { return "" }
