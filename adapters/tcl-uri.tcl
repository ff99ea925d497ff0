# Tcl's uri (Debian: tcllib). Run: tclsh tcl-uri.tcl
# The protocol is in docs/adapter-protocol.md, whose requests have a fixed form, so that no JSON library is needed.
package require uri

proc quote {s} {
    set out {}
    foreach c [split $s ""] {
        scan $c %c n
        append out [expr {$c in {\" \\} || $n < 32 || $n > 126 ? [format {\u%04x} $n] : $c}]
    }
    return "\"$out\""
}

proc answer {text} {
    if {[catch {uri::split $text ""} parts]} {
        return "\"accepted\":false,\"error\":[quote $parts]"
    }
    array set u {scheme {} user {} pwd {} host {} port {} path {} query {} fragment {}}
    array set u $parts
    # split takes away the slash behind the host, but for file, and an absent part is an empty one. Where there is no host,
    # nothing is said of the path.
    set list "\"scheme\":[quote $u(scheme)]"
    if {$u(host) ne "" && [dict exists $parts path]} {
        append list ",\"path\":[quote [expr {$u(scheme) eq "file" ? $u(path) : "/$u(path)"}]]"
    }
    foreach {name part} {user user password pwd host host port port query query fragment fragment} {
        append list ",\"$name\":[expr {$u($part) eq "" ? "null" : [quote [string trim $u($part) {[]}]]}]"
    }
    return "\"accepted\":true,\"components\":{$list}"
}

fconfigure stdin -encoding utf-8 -translation lf
fconfigure stdout -encoding utf-8 -translation lf -buffering line
while {[gets stdin line] >= 0} {
    regexp {^\{"id":([0-9]+),"(input|base64)":"(.*)"\}$} $line -> id member text
    if {$member eq "base64"} {
        puts "{\"id\":$id,\"accepted\":null,\"error\":\"bytes that are not UTF-8 are not a string here\"}"
        continue
    }
    set plain {}
    while {[regexp {^([^\\]*)\\(u(....)|.)(.*)$} $text -> before one hex text]} {
        append plain $before [expr {$hex eq "" ? $one : [format %c 0x$hex]}]
    }
    puts "{\"id\":$id,[answer $plain$text]}"
}
