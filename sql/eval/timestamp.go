package eval

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// timestampFunctions work with the time of day, with text and with the clock.
func timestampFunctions() []*Function {
	out := []*Function{
		timeField("hour extract_hour", "the hour, 0 to 23", types.MicrosPerHour, 24),
		timeField("minute extract_minute", "the minute, 0 to 59", types.MicrosPerMinute, 60),
		timeField("second", "the second, 0 to 59", types.MicrosPerSecond, 60),
		special("extract_second", "(TIMESTAMP | TIME) DECIMAL(8,6)", "the second with its fraction", resolveExtractSecond, compileRow(rowExtractSecond)),
		special("timestampadd", "(STRING, BIGINT, TIMESTAMP) TIMESTAMP", "so many units later", resolveTimestampAdd, nil),
		special("timestampdiff", "(STRING, TIMESTAMP, TIMESTAMP) BIGINT", "the whole units from the first timestamp to the second", resolveTimestampDiff, compileTimestampDiff),
		function("months_between", "the months from the second timestamp to the first, with a fraction of 31 days, to 8 digits unless the third argument is false",
			over("TIMESTAMP, TIMESTAMP, BOOLEAN?", "DOUBLE", rowMonthsBetween)),
		function("date_trunc", "the start of the unit around a timestamp", orNull(over("STRING, TIMESTAMP", "TIMESTAMP", rowDateTrunc))),
		special("to_date", "(ANY, STRING?) DATE", "as DATE, from text by a pattern", resolveToDatetime(types.Date), compileParse),
		special("date", "(ANY) DATE", "as DATE", resolveDate, nil),
		special("to_timestamp", "(ANY, STRING?) TIMESTAMP", "as TIMESTAMP, from text by a pattern", resolveToDatetime(types.Timestamp), compileParse),
		special("to_timestamp_ntz", "(ANY, STRING?) TIMESTAMP_NTZ", "as TIMESTAMP_NTZ, from text by a pattern", resolveToDatetime(types.TimestampNTZ), compileParse),
		function("date_format", "as text by a pattern of Java's", over("TIMESTAMP, STRING", "STRING", rowDateFormat), over("TIMESTAMP_NTZ, STRING", "STRING", rowDateFormat)),
		special("unix_timestamp", "(TIMESTAMP | STRING?, STRING?) BIGINT", "the seconds since 1970-01-01, of now without an argument", resolveUnixTimestamp, nil),
		special("to_unix_timestamp", "(TIMESTAMP | STRING, STRING?) BIGINT", "the seconds since 1970-01-01", resolveUnixTimestamp, nil),
		function("from_unixtime", "seconds since 1970-01-01 as text by a pattern", over("BIGINT, STRING?", "STRING", rowFromUnixtime)),
		function("from_utc_timestamp", "the wall clock of a zone at a timestamp that is UTC's wall clock", over("TIMESTAMP, STRING", "TIMESTAMP", rowShiftZone(types.InstantToWall))),
		function("to_utc_timestamp", "UTC's wall clock at a timestamp that is the wall clock of a zone", over("TIMESTAMP, STRING", "TIMESTAMP", rowShiftZone(types.WallToInstant))),
		function("make_timestamp", "the timestamp of year, month, day, hour, minute and second, by the clock of a zone if one is given", over("INT, INT, INT, INT, INT, DOUBLE, STRING?", "TIMESTAMP", rowMakeTimestamp)),
		special("timestamp_seconds", "(T) TIMESTAMP", "the timestamp so many seconds after 1970-01-01", resolveTimestampSeconds, compileRow(rowTimestampSeconds)),
		special("current_date curdate", "() DATE", "the date when the statement began", resolveNow(types.Date), compileNow),
		special("current_timestamp now", "() TIMESTAMP", "the time when the statement began", resolveNow(types.Timestamp), compileNow),
		special("localtimestamp", "() TIMESTAMP_NTZ", "the clock of the session's zone when the statement began", resolveNow(types.TimestampNTZ), compileNow),
	}
	for _, u := range []struct {
		name   string
		micros int64
	}{{"seconds", types.MicrosPerSecond}, {"millis", 1000}, {"micros", 1}} {
		out = append(out, function("unix_"+u.name, "the "+u.name+" since 1970-01-01", over("TIMESTAMP", "BIGINT", func(f *frame, i int) error {
			f.out.Int64s[i], _ = floorDivMod(f.int(0, i), u.micros)
			return nil
		})).strictly(isInstant))
		if u.name == "seconds" {
			continue
		}
		out = append(out, function("timestamp_"+u.name, "the timestamp so many "+u.name+" after 1970-01-01", over("BIGINT", "TIMESTAMP", func(f *frame, i int) error {
			r, err := int64Op(expr.OpMultiply, f.int(0, i), u.micros)
			f.out.Int64s[i] = r
			return err
		})).strictly(types.Type.IsInteger))
	}
	for _, f := range out {
		f.addFieldAliases()
		if strings.HasPrefix(f.Signatures[0], f.Name+"() ") {
			f.atFold = foldNow(f.Name)
		}
	}
	return out
}

func resolveTimestampSeconds(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	a := args[0]
	if a.Type().Kind == types.Void {
		a = castTo(a, types.Of(types.BigInt))
	}
	if !a.Type().IsNumeric() {
		return nil, noOverload(name, args)
	}
	call := typedCall(name, types.Of(types.Timestamp), a)
	call.MayBeNull = true // of what is no number
	return call, nil
}

// rowTimestampSeconds has an error for whole numbers and decimals that are no
// timestamp, and the ends of time for floats beyond them.
func rowTimestampSeconds(f *frame, i int) error {
	switch t := f.args[0].Type; {
	case t.IsInteger():
		r, err := int64Op(expr.OpMultiply, f.int(0, i), types.MicrosPerSecond)
		f.out.Int64s[i] = r
		return err
	case t.Kind == types.Decimal:
		d := f.decimal(0, i)
		micros, ok := d.Rescale(int(t.Scale), 6)
		back, _ := micros.Rescale(6, int(t.Scale))
		r, fits := micros.Int64()
		if !ok || !fits || back != d {
			return invalidCast(d, t, f.out.Type)
		}
		f.out.Int64s[i] = r
	default:
		x := f.float(0, i)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			f.setNull(i)
			return nil
		}
		f.out.Int64s[i] = saturate(x * types.MicrosPerSecond)
	}
	return nil
}

// foldNow gives the value of current_date and its like.
func foldNow(name string) func(env *Env) *expr.Literal {
	return func(env *Env) *expr.Literal {
		us := env.Now.UnixMicro()
		wall := types.InstantToWall(us, env.zone())
		switch name {
		case "current_date":
			days, _ := types.SplitMicros(wall)
			return &expr.Literal{T: types.Of(types.Date), Value: int64(days)}
		case "localtimestamp":
			return &expr.Literal{T: types.Of(types.TimestampNTZ), Value: wall}
		}
		return &expr.Literal{T: types.Of(types.Timestamp), Value: us}
	}
}

// rowShiftZone moves a timestamp between UTC and the zone that text names.
func rowShiftZone(shift func(int64, *time.Location) int64) rowFunc {
	return func(f *frame, i int) error {
		zone, err := f.zone(1, i)
		if err != nil {
			return err
		}
		from := f.int(0, i)
		to := shift(from, zone)
		if (to > from) != (to-from > 0) {
			return overflow(f.out.Type, f.name)
		}
		f.out.Int64s[i] = to
		return nil
	}
}

// zone finds the time zone that an argument names.
func (f *frame) zone(a, i int) (*time.Location, error) {
	zone, ok := types.ParseZone(f.text(a, i))
	if !ok {
		return nil, invalid("%q is no time zone, such as Europe/Vienna", f.string(a, i))
	}
	return zone, nil
}

func resolveNow(k types.Kind) resolver {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		if err := wantArgs(name, args, 0, 0); err != nil {
			return nil, err
		}
		return &expr.Call{Name: name, T: types.Of(k)}, nil
	}
}

func compileNow(c *compiler, e *expr.Call) (node, error) {
	if c.env.Now.IsZero() {
		return nil, invalid("%s has no value here: the time of the statement is not set", e.Name)
	}
	l := foldNow(e.Name)(c.env)
	return &literalNode{constantVector(l.T, l.Value)}, nil
}

// timeField makes a function of the time of day.
func timeField(names, doc string, unit, modulus int64) *Function {
	at := func(f *frame, i int) error {
		_, ofDay := types.SplitMicros(f.wall(0, i))
		f.out.Int32s[i] = int32(ofDay / unit % modulus)
		return nil
	}
	f := function(names, doc, over("TIMESTAMP", "INT", at), over("TIMESTAMP_NTZ", "INT", at), over("TIME", "INT", at))
	f.resolve = func(_ string, args []expr.Expr) (expr.Expr, error) { // Spark drops the other arguments
		return f.call(args[:min(len(args), 1)])
	}
	return f
}

func resolveExtractSecond(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	a := args[0]
	switch k := a.Type().Kind; k {
	case types.String, types.Date, types.Void:
		a = castTo(a, types.Of(types.Timestamp))
	case types.Timestamp, types.TimestampNTZ, types.TimestampNS, types.TimestampNTZNS, types.Time:
	default:
		return nil, mismatch("%s has no seconds", a.Type())
	}
	return typedCall(name, types.DecimalOf(8, 6), a), nil
}

func rowExtractSecond(f *frame, i int) error {
	_, ofDay := types.SplitMicros(f.wall(0, i))
	f.out.Int64s[i] = ofDay % types.MicrosPerMinute
	return nil
}

// rowMonthsBetween is whole where both are the same day of the month or both
// the last of theirs.
func rowMonthsBetween(f *frame, i int) error {
	d1, _ := types.SplitMicros(f.wall(0, i))
	d2, _ := types.SplitMicros(f.wall(1, i))
	y1, m1, day1 := types.CivilFromDays(d1)
	y2, m2, day2 := types.CivilFromDays(d2)
	months := float64((y1-y2)*12 + m1 - m2)
	lasts := day1 == types.DaysInMonth(y1, m1) && day2 == types.DaysInMonth(y2, m2)
	if day1 != day2 && !lasts {
		s1, err1 := f.secondsOfDay(0, i, d1)
		s2, err2 := f.secondsOfDay(1, i, d2)
		if err := cmp.Or(err1, err2); err != nil {
			return err
		}
		months += float64(int64(day1-day2)*86400+s1-s2) / (31 * 86400)
	}
	if len(f.args) < 3 || f.bool(2, i) {
		months = math.Round(months*1e8) / 1e8
	}
	f.out.Float64s[i] = months
	return nil
}

// secondsOfDay gives the seconds that have passed since a day began, an error
// for the first day of time, which has no room for its beginning.
func (f *frame) secondsOfDay(a, i int, day int32) (int64, error) {
	midnight, ok := types.JoinMicros(int64(day), 0)
	if !ok {
		return 0, overflow(f.args[a].Type, f.name)
	}
	return (f.int(a, i) - types.WallToInstant(midnight, f.env.zone())) / types.MicrosPerSecond, nil
}

// rowDateTrunc wraps around before the first second of time, as Spark does, and
// has an error before its first minute.
func rowDateTrunc(f *frame, i int) error {
	wall := f.wall(1, i)
	unit := int64(0)
	name := strings.ToUpper(f.text(0, i))
	switch name {
	case "DAY", "DD":
		unit = types.MicrosPerDay
	case "HOUR":
		unit = types.MicrosPerHour
	case "MINUTE":
		unit = types.MicrosPerMinute
	case "SECOND":
		unit = types.MicrosPerSecond
	case "MILLISECOND":
		unit = 1000
	case "MICROSECOND":
		unit = 1
	}
	q, r := floorDivMod(wall, max(unit, 1))
	switch {
	case unit > types.MicrosPerSecond:
		return f.setUnits(i, q, unit)
	case unit > 0: // in every zone
		f.out.Int64s[i] = f.int(1, i) - r
		return nil
	}
	days, _ := types.SplitMicros(wall)
	start, ok := truncDays(days, name)
	if !ok {
		f.setNull(i)
		return nil
	}
	return f.setUnits(i, start, types.MicrosPerDay)
}

// setUnits stores so many units as a timestamp's clock.
func (f *frame) setUnits(i int, n, unit int64) error {
	wall, err := int64Op(expr.OpMultiply, n, unit)
	if err != nil {
		return overflow(f.out.Type, f.name)
	}
	f.setWall(i, wall)
	return nil
}

func rowMakeTimestamp(f *frame, i int) error {
	days, err := makeDate(f.int(0, i), f.int(1, i), f.int(2, i))
	if err != nil {
		return err
	}
	h, m, s := f.int(3, i), f.int(4, i), f.float(5, i)
	if h < 0 || h > 23 || m < 0 || m > 59 || !(s >= 0 && s <= 60) || s > 60-1e-7 && s != 60 {
		return invalid("there is no time %d:%d:%v", h, m, s)
	}
	us := h*types.MicrosPerHour + m*types.MicrosPerMinute + int64(math.Round(s*types.MicrosPerSecond))
	midnight, err := int64Op(expr.OpMultiply, int64(days), types.MicrosPerDay)
	if err != nil {
		return overflow(f.out.Type, f.name)
	}
	us += midnight
	if len(f.args) < 7 {
		f.setWall(i, us)
		return nil
	}
	zone, err := f.zone(6, i)
	if err == nil {
		f.out.Int64s[i] = types.WallToInstant(us, zone)
	}
	return err
}

// resolveToDatetime takes to_date(x) as a cast and to_date(text, pattern) as a
// call.
func resolveToDatetime(k types.Kind) resolver {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		if err := wantArgs(name, args, 1, 2); err != nil {
			return nil, err
		}
		t := types.Of(k)
		if len(args) == 1 {
			return NewCast(args[0], t, false)
		}
		for _, a := range args {
			if castCost(a.Type(), stringType) >= impossible {
				return nil, noOverload(name, args)
			}
		}
		if isDatetime(args[0].Type()) {
			return NewCast(args[0], t, false)
		}
		if k == types.Timestamp && args[0].Type().IsNumeric() { // an internal error, as in Spark
			return nil, fmt.Errorf("%s by a pattern takes a text, not %s", name, args[0].Type())
		}
		return typedCall(name, t, castTo(args[0], stringType), castTo(args[1], stringType)), nil
	}
}

func resolveDate(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	return NewCast(args[0], types.Of(types.Date), false)
}

func compileParse(c *compiler, e *expr.Call) (node, error) { return compileRow(rowParse)(c, e) }

// rowParse reads text by a pattern. A zone in it makes an instant, of which
// DATE is the date in the session's zone.
func rowParse(f *frame, i int) error {
	t := f.out.Type
	p, err := f.pattern(1, i, true)
	if err != nil && t.Kind == types.TimestampNTZ { // Spark judges patterns by another rule here
		return invalid("%q is not a pattern", f.string(1, i))
	}
	if err != nil {
		return err
	}
	parsed, ok := p.parse(f.text(0, i))
	if !ok {
		return invalid("%s can't be read by the pattern %q as %s", printValue(stringType, f.string(0, i)), f.string(1, i), t)
	}
	wall := parsed.wall()
	if parsed.zone != nil && t.Kind != types.TimestampNTZ {
		wall = types.InstantToWall(types.WallToInstant(wall, parsed.zone), f.env.zone())
	}
	if t.Kind == types.Date {
		days, _ := types.SplitMicros(wall)
		f.out.Int32s[i] = days
		return nil
	}
	f.setWall(i, wall)
	return nil
}

func rowDateFormat(f *frame, i int) error {
	p, err := f.pattern(1, i, false)
	if err != nil {
		return err
	}
	start := len(f.out.Data)
	zone := utc
	if isInstant(f.args[0].Type) {
		zone = zoneOf(f.int(0, i), f.env.zone())
	}
	f.out.Data = p.append(f.out.Data, f.wall(0, i), zone)
	return f.endBytes(i, start)
}

const defaultPattern = "yyyy-MM-dd HH:mm:ss"

// resolveUnixTimestamp counts seconds of a timestamp, of text, or of now.
func resolveUnixTimestamp(name string, args []expr.Expr) (expr.Expr, error) {
	least := 0
	if name == "to_unix_timestamp" {
		least = 1
	}
	if err := wantArgs(name, args, least, 2); err != nil {
		return nil, err
	}
	for i, a := range args {
		if t := a.Type(); t.Kind != types.String && t.Kind != types.Void && (i == 1 || !isDatetime(t)) {
			return nil, noOverload(name, args)
		}
	}
	if len(args) == 0 {
		args = []expr.Expr{&expr.Call{Name: "current_timestamp", T: types.Of(types.Timestamp)}}
	}
	at := args[0]
	if at.Type().Kind == types.String {
		pattern := expr.Str(defaultPattern)
		if len(args) == 2 {
			pattern = args[1]
		}
		var err error
		if at, err = Resolve("to_timestamp", []expr.Expr{at, pattern}); err != nil {
			return nil, err
		}
	}
	micros, err := Resolve("unix_micros", []expr.Expr{castTo(at, types.Of(types.Timestamp))})
	if err != nil {
		return nil, err
	}
	return Resolve(expr.OpIntDivide, []expr.Expr{micros, expr.Int(types.MicrosPerSecond)}) // drops a fraction
}

// rowFromUnixtime wraps around at the ends of time, as Spark does.
func rowFromUnixtime(f *frame, i int) error {
	text := defaultPattern
	if len(f.args) > 1 {
		text = f.text(1, i)
	}
	p, err := f.patternOf(text, false)
	if err != nil {
		return err
	}
	us := f.int(0, i) * types.MicrosPerSecond
	zone := f.env.zone()
	start := len(f.out.Data)
	f.out.Data = p.append(f.out.Data, types.InstantToWall(us, zone), zoneOf(us, zone))
	return f.endBytes(i, start)
}
