(** the package in rfc3986, written by bnfcheck --rocq. Above each production and each rule stand
    the lines that it was read from; where they have an odd number of quotation marks, Rocq wants one more. *)

Require Import Grammar Notations.

Definition productions : grammar := [

(* URI           = scheme ":" hier-part [ "?" query ] [ "#" fragment ] *)
"URI" ::= <"scheme"> ":" <"hier-part"> [ "?" <"query"> ] [ "#" <"fragment"> ];

(* hier-part     = "//" authority path-abempty
              / path-absolute
              / path-rootless
              / path-empty *)
"hier-part" ::= "//" <"authority"> <"path-abempty"> | <"path-absolute"> | <"path-rootless"> | <"path-empty">;

(* URI-reference = URI / relative-ref *)
"URI-reference" ::= <"URI"> | <"relative-ref">;

(* absolute-URI  = scheme ":" hier-part [ "?" query ] *)
"absolute-URI" ::= <"scheme"> ":" <"hier-part"> [ "?" <"query"> ];

(* relative-ref  = relative-part [ "?" query ] [ "#" fragment ] *)
"relative-ref" ::= <"relative-part"> [ "?" <"query"> ] [ "#" <"fragment"> ];

(* relative-part = "//" authority path-abempty
              / path-absolute
              / path-noscheme
              / path-empty *)
"relative-part" ::= "//" <"authority"> <"path-abempty"> | <"path-absolute"> | <"path-noscheme"> | <"path-empty">;

(* scheme        = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) *)
"scheme" ::= <"ALPHA"> *( <"ALPHA"> | <"DIGIT"> | "+" | "-" | "." );

(* authority     = [ userinfo "@" ] host [ ":" port ] *)
"authority" ::= [ <"userinfo"> "@" ] <"host"> [ ":" <"port"> ];

(* userinfo      = *( unreserved / pct-encoded / sub-delims / ":" ) *)
"userinfo" ::= *( <"unreserved"> | <"pct-encoded"> | <"sub-delims"> | ":" );

(* host          = IP-literal / IPv4address / reg-name *)
"host" ::= <"IP-literal"> | <"IPv4address"> | <"reg-name">;

(* port          = *DIGIT *)
"port" ::= *<"DIGIT">;

(* IP-literal    = "[" ( IPv6address / IPvFuture  ) "]" *)
"IP-literal" ::= "[" ( <"IPv6address"> | <"IPvFuture"> ) "]";

(* IPvFuture     = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" ) *)
"IPvFuture" ::= { "Vv" } 1*<"HEXDIG"> "." 1*( <"unreserved"> | <"sub-delims"> | ":" );

(* IPv6address   =                            6( h16 ":" ) ls32
              /                       "::" 5( h16 ":" ) ls32
              / [               h16 ] "::" 4( h16 ":" ) ls32
              / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
              / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
              / [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
              / [ *4( h16 ":" ) h16 ] "::"              ls32
              / [ *5( h16 ":" ) h16 ] "::"              h16
              / [ *6( h16 ":" ) h16 ] "::" *)
"IPv6address" ::= { 6 * 6 } ( <"h16"> ":" ) <"ls32"> | "::" { 5 * 5 } ( <"h16"> ":" ) <"ls32"> | [ <"h16"> ] "::" { 4 * 4 } ( <"h16"> ":" ) <"ls32"> | [ [ <"h16"> ":" ] <"h16"> ] "::" { 3 * 3 } ( <"h16"> ":" ) <"ls32"> | [ { 0 * 2 } ( <"h16"> ":" ) <"h16"> ] "::" { 2 * 2 } ( <"h16"> ":" ) <"ls32"> | [ { 0 * 3 } ( <"h16"> ":" ) <"h16"> ] "::" <"h16"> ":" <"ls32"> | [ { 0 * 4 } ( <"h16"> ":" ) <"h16"> ] "::" <"ls32"> | [ { 0 * 5 } ( <"h16"> ":" ) <"h16"> ] "::" <"h16"> | [ { 0 * 6 } ( <"h16"> ":" ) <"h16"> ] "::";

(* h16           = 1*4HEXDIG *)
"h16" ::= { 1 * 4 } <"HEXDIG">;

(* ls32          = ( h16 ":" h16 ) / IPv4address *)
"ls32" ::= <"h16"> ":" <"h16"> | <"IPv4address">;

(* IPv4address   = dec-octet "." dec-octet "." dec-octet "." dec-octet *)
"IPv4address" ::= <"dec-octet"> "." <"dec-octet"> "." <"dec-octet"> "." <"dec-octet">;

(* dec-octet     = DIGIT                 ; 0-9
              / %x31-39 DIGIT         ; 10-99
              / "1" 2DIGIT            ; 100-199
              / "2" %x30-34 DIGIT     ; 200-249
              / "25" %x30-35          ; 250-255 *)
"dec-octet" ::= <"DIGIT"> | { "1"-"9" } <"DIGIT"> | "1" { 2 * 2 } <"DIGIT"> | "2" { "0"-"4" } <"DIGIT"> | "25" { "0"-"5" };

(* reg-name      = *( unreserved / pct-encoded / sub-delims ) *)
"reg-name" ::= *( <"unreserved"> | <"pct-encoded"> | <"sub-delims"> );

(* path          = path-abempty    ; begins with "/" or is empty
              / path-absolute   ; begins with "/" but not "//"
              / path-noscheme   ; begins with a non-colon segment
              / path-rootless   ; begins with a segment
              / path-empty      ; zero characters *)
"path" ::= <"path-abempty"> | <"path-absolute"> | <"path-noscheme"> | <"path-rootless"> | <"path-empty">;

(* path-abempty  = *( "/" segment ) *)
"path-abempty" ::= *( "/" <"segment"> );

(* path-absolute = "/" [ segment-nz *( "/" segment ) ] *)
"path-absolute" ::= "/" [ <"segment-nz"> *( "/" <"segment"> ) ];

(* path-noscheme = segment-nz-nc *( "/" segment ) *)
"path-noscheme" ::= <"segment-nz-nc"> *( "/" <"segment"> );

(* path-rootless = segment-nz *( "/" segment ) *)
"path-rootless" ::= <"segment-nz"> *( "/" <"segment"> );

(* path-empty    = 0<pchar>
   read as path-empty = 0pchar because reading 3986-path-empty *)
"path-empty" ::= "";

(* segment       = *pchar *)
"segment" ::= *<"pchar">;

(* segment-nz    = 1*pchar *)
"segment-nz" ::= 1*<"pchar">;

(* segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )
              ; non-zero-length segment without any colon ":" *)
"segment-nz-nc" ::= 1*( <"unreserved"> | <"pct-encoded"> | <"sub-delims"> | "@" );

(* pchar         = unreserved / pct-encoded / sub-delims / ":" / "@" *)
"pchar" ::= <"unreserved"> | <"pct-encoded"> | <"sub-delims"> | ":" | "@";

(* query         = *( pchar / "/" / "?" ) *)
"query" ::= *( <"pchar"> | "/" | "?" );

(* fragment      = *( pchar / "/" / "?" ) *)
"fragment" ::= *( <"pchar"> | "/" | "?" );

(* pct-encoded   = "%" HEXDIG HEXDIG *)
"pct-encoded" ::= "%" <"HEXDIG"> <"HEXDIG">;

(* unreserved    = ALPHA / DIGIT / "-" / "." / "_" / "~" *)
"unreserved" ::= <"ALPHA"> | <"DIGIT"> | "-" | "." | "_" | "~";

(* reserved      = gen-delims / sub-delims *)
"reserved" ::= <"gen-delims"> | <"sub-delims">;

(* gen-delims    = ":" / "/" / "?" / "#" / "[" / "]" / "@" *)
"gen-delims" ::= ":" | "/" | "?" | "#" | "[" | "]" | "@";

(* sub-delims    = "!" / "$" / "&" / "'" / "(" / ")"
              / "*" / "+" / "," / ";" / "=" *)
"sub-delims" ::= "!" | "$" | "&" | "'" | "(" | ")" | "*" | "+" | "," | ";" | "=";

(* ALPHA  = %x41-5A / %x61-7A
   read as ALPHA = %x41-5A / %x61-7A because RFC 5234 appendix B.1 *)
"ALPHA" ::= { "A"-"Z" } | { "a"-"z" };

(* DIGIT  = %x30-39
   read as DIGIT = %x30-39 because RFC 5234 appendix B.1 *)
"DIGIT" ::= { "0"-"9" };

(* HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
   read as HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F" because RFC 5234 appendix B.1 *)
"HEXDIG" ::= <"DIGIT"> | { "Aa" } | { "Bb" } | { "Cc" } | { "Dd" } | { "Ee" } | { "Ff" }
].

Definition rules : grammar := [

(* URI "URI" <- v:( scheme ":" hier_part ( "?" query )? ( "#" fragment )? ) { return c.node("URI", v) } *)
"URI" <- <"scheme"> ":" <"hier_part"> ( "?" <"query"> )? ( "#" <"fragment"> )?;

(* hier_part "hier-part" <- v:( "//" authority path_abempty / path_absolute / path_rootless / path_empty ) { return c.node("hier-part", v) } *)
"hier_part" <- "//" <"authority"> <"path_abempty"> / <"path_absolute"> / <"path_rootless"> / <"path_empty">;

(* URI_reference "URI-reference" <- v:( URI / relative_ref ) { return c.node("URI-reference", v) } *)
"URI_reference" <- <"URI"> / <"relative_ref">;

(* absolute_URI "absolute-URI" <- v:( scheme ":" hier_part ( "?" query )? ) { return c.node("absolute-URI", v) } *)
"absolute_URI" <- <"scheme"> ":" <"hier_part"> ( "?" <"query"> )?;

(* relative_ref "relative-ref" <- v:( relative_part ( "?" query )? ( "#" fragment )? ) { return c.node("relative-ref", v) } *)
"relative_ref" <- <"relative_part"> ( "?" <"query"> )? ( "#" <"fragment"> )?;

(* relative_part "relative-part" <- v:( "//" authority path_abempty / path_absolute / path_noscheme / path_empty ) { return c.node("relative-part", v) } *)
"relative_part" <- "//" <"authority"> <"path_abempty"> / <"path_absolute"> / <"path_noscheme"> / <"path_empty">;

(* scheme "scheme" <- v:( ALPHA ( ALPHA / DIGIT / [+.-] )* ) { return c.node("scheme", v) } *)
"scheme" <- <"ALPHA"> ( <"ALPHA"> / <"DIGIT"> / { "+-." } )*;

(* authority "authority" <- v:( ( userinfo "@" )? host ( ":" port )? ) { return c.node("authority", v) } *)
"authority" <- ( <"userinfo"> "@" )? <"host"> ( ":" <"port"> )?;

(* userinfo "userinfo" <- v:( ( unreserved / pct_encoded / sub_delims / ":" )* ) { return c.node("userinfo", v) } *)
"userinfo" <- ( <"unreserved"> / <"pct_encoded"> / <"sub_delims"> / ":" )*;

(* host "host" <- v:( IP_literal / IPv4address !( unreserved / pct_encoded / sub_delims ) / reg_name ) { return c.node("host", v) } *)
"host" <- <"IP_literal"> / <"IPv4address"> !( <"unreserved"> / <"pct_encoded"> / <"sub_delims"> ) / <"reg_name">;

(* port "port" <- v:( DIGIT* ) { return c.node("port", v) } *)
"port" <- <"DIGIT">*;

(* IP_literal "IP-literal" <- v:( "[" ( IPv6address / IPvFuture ) "]" ) { return c.node("IP-literal", v) } *)
"IP_literal" <- "[" ( <"IPv6address"> / <"IPvFuture"> ) "]";

(* IPvFuture "IPvFuture" <- v:( [Vv] HEXDIG+ "." ( unreserved / sub_delims / ":" )+ ) { return c.node("IPvFuture", v) } *)
"IPvFuture" <- { "Vv" } <"HEXDIG">+ "." ( <"unreserved"> / <"sub_delims"> / ":" )+;

(* IPv6address "IPv6address" <- v:(
	h16 ":" h16 ":" h16 ":" h16 ":" h16 ":" h16 ":" ls32
	/ "::" h16 ":" h16 ":" h16 ":" h16 ":" h16 ":" ls32
	/ h16? "::" h16 ":" h16 ":" h16 ":" h16 ":" ls32
	/ ( h16 ( ":" h16 )? )? "::" h16 ":" h16 ":" h16 ":" ls32
	/ ( h16 ( ":" h16 )? ( ":" h16 )? )? "::" h16 ":" h16 ":" ls32
	/ ( h16 ( ":" h16 )? ( ":" h16 )? ( ":" h16 )? )? "::" h16 ":" ls32
	/ ( h16 ( ":" h16 )? ( ":" h16 )? ( ":" h16 )? ( ":" h16 )? )? "::" ls32
	/ ( h16 ( ":" h16 )? ( ":" h16 )? ( ":" h16 )? ( ":" h16 )? ( ":" h16 )? )? "::" h16
	/ ( h16 ( ":" h16 )? ( ":" h16 )? ( ":" h16 )? ( ":" h16 )? ( ":" h16 )? ( ":" h16 )? )? "::"
) { return c.node("IPv6address", v) } *)
"IPv6address" <- <"h16"> ":" <"h16"> ":" <"h16"> ":" <"h16"> ":" <"h16"> ":" <"h16"> ":" <"ls32"> / "::" <"h16"> ":" <"h16"> ":" <"h16"> ":" <"h16"> ":" <"h16"> ":" <"ls32"> / <"h16">? "::" <"h16"> ":" <"h16"> ":" <"h16"> ":" <"h16"> ":" <"ls32"> / ( <"h16"> ( ":" <"h16"> )? )? "::" <"h16"> ":" <"h16"> ":" <"h16"> ":" <"ls32"> / ( <"h16"> ( ":" <"h16"> )? ( ":" <"h16"> )? )? "::" <"h16"> ":" <"h16"> ":" <"ls32"> / ( <"h16"> ( ":" <"h16"> )? ( ":" <"h16"> )? ( ":" <"h16"> )? )? "::" <"h16"> ":" <"ls32"> / ( <"h16"> ( ":" <"h16"> )? ( ":" <"h16"> )? ( ":" <"h16"> )? ( ":" <"h16"> )? )? "::" <"ls32"> / ( <"h16"> ( ":" <"h16"> )? ( ":" <"h16"> )? ( ":" <"h16"> )? ( ":" <"h16"> )? ( ":" <"h16"> )? )? "::" <"h16"> / ( <"h16"> ( ":" <"h16"> )? ( ":" <"h16"> )? ( ":" <"h16"> )? ( ":" <"h16"> )? ( ":" <"h16"> )? ( ":" <"h16"> )? )? "::";

(* h16 "h16" <- v:( HEXDIG HEXDIG? HEXDIG? HEXDIG? ) { return c.node("h16", v) } *)
"h16" <- <"HEXDIG"> <"HEXDIG">? <"HEXDIG">? <"HEXDIG">?;

(* ls32 "ls32" <- v:( ( h16 ":" h16 ) / IPv4address ) { return c.node("ls32", v) } *)
"ls32" <- <"h16"> ":" <"h16"> / <"IPv4address">;

(* IPv4address "IPv4address" <- v:( dec_octet "." dec_octet "." dec_octet "." dec_octet ) { return c.node("IPv4address", v) } *)
"IPv4address" <- <"dec_octet"> "." <"dec_octet"> "." <"dec_octet"> "." <"dec_octet">;

(* dec_octet "dec-octet" <- v:( "25" [0-5] / "2" [0-4] DIGIT / "1" DIGIT DIGIT / [1-9] DIGIT / DIGIT ) { return c.node("dec-octet", v) } *)
"dec_octet" <- "25" { "0"-"5" } / "2" { "0"-"4" } <"DIGIT"> / "1" <"DIGIT"> <"DIGIT"> / { "1"-"9" } <"DIGIT"> / <"DIGIT">;

(* reg_name "reg-name" <- v:( ( unreserved / pct_encoded / sub_delims )* ) { return c.node("reg-name", v) } *)
"reg_name" <- ( <"unreserved"> / <"pct_encoded"> / <"sub_delims"> )*;

(* path "path" <- v:( path_noscheme !":" / path_rootless / path_abempty ) { return c.node("path", v) } *)
"path" <- <"path_noscheme"> !":" / <"path_rootless"> / <"path_abempty">;

(* path_abempty "path-abempty" <- v:( ( "/" segment )* ) { return c.node("path-abempty", v) } *)
"path_abempty" <- ( "/" <"segment"> )*;

(* path_absolute "path-absolute" <- v:( "/" ( segment_nz ( "/" segment )* )? ) { return c.node("path-absolute", v) } *)
"path_absolute" <- "/" ( <"segment_nz"> ( "/" <"segment"> )* )?;

(* path_noscheme "path-noscheme" <- v:( segment_nz_nc ( "/" segment )* ) { return c.node("path-noscheme", v) } *)
"path_noscheme" <- <"segment_nz_nc"> ( "/" <"segment"> )*;

(* path_rootless "path-rootless" <- v:( segment_nz ( "/" segment )* ) { return c.node("path-rootless", v) } *)
"path_rootless" <- <"segment_nz"> ( "/" <"segment"> )*;

(* path_empty "path-empty" <- v:( "" ) { return c.node("path-empty", v) } *)
"path_empty" <- "";

(* segment "segment" <- v:( pchar* ) { return c.node("segment", v) } *)
"segment" <- <"pchar">*;

(* segment_nz "segment-nz" <- v:( pchar+ ) { return c.node("segment-nz", v) } *)
"segment_nz" <- <"pchar">+;

(* segment_nz_nc "segment-nz-nc" <- v:( ( unreserved / pct_encoded / sub_delims / "@" )+ ) { return c.node("segment-nz-nc", v) } *)
"segment_nz_nc" <- ( <"unreserved"> / <"pct_encoded"> / <"sub_delims"> / "@" )+;

(* pchar "pchar" <- unreserved / pct_encoded / sub_delims / [:@] *)
"pchar" <- <"unreserved"> / <"pct_encoded"> / <"sub_delims"> / { ":@" };

(* query "query" <- v:( ( pchar / [/?] )* ) { return c.node("query", v) } *)
"query" <- ( <"pchar"> / { "/?" } )*;

(* fragment "fragment" <- v:( ( pchar / [/?] )* ) { return c.node("fragment", v) } *)
"fragment" <- ( <"pchar"> / { "/?" } )*;

(* pct_encoded "pct-encoded" <- "%" HEXDIG HEXDIG *)
"pct_encoded" <- "%" <"HEXDIG"> <"HEXDIG">;

(* unreserved "unreserved" <- ALPHA / DIGIT / [-._~] *)
"unreserved" <- <"ALPHA"> / <"DIGIT"> / { "-._~" };

(* reserved "reserved" <- gen_delims / sub_delims *)
"reserved" <- <"gen_delims"> / <"sub_delims">;

(* gen_delims "gen-delims" <- [:/?#[\]@] *)
"gen_delims" <- { "#/:?@[]" };

(* sub_delims "sub-delims" <- [!$&'()*+,;=] *)
"sub_delims" <- { "&"-"," } / { "!$;=" };

(* ALPHA "ALPHA" <- [A-Z] / [a-z] *)
"ALPHA" <- { "A"-"Z" } / { "a"-"z" };

(* DIGIT "DIGIT" <- [0-9] *)
"DIGIT" <- { "0"-"9" };

(* HEXDIG "HEXDIG" <- DIGIT / [Aa] / [Bb] / [Cc] / [Dd] / [Ee] / [Ff] *)
"HEXDIG" <- <"DIGIT"> / { "Aa" } / { "Bb" } / { "Cc" } / { "Dd" } / { "Ee" } / { "Ff" };

(* URI_entry           <- URI !. *)
"URI_entry" <- <"URI"> !any;

(* hier_part_entry     <- hier_part !. *)
"hier_part_entry" <- <"hier_part"> !any;

(* URI_reference_entry <- URI_reference !. *)
"URI_reference_entry" <- <"URI_reference"> !any;

(* absolute_URI_entry  <- absolute_URI !. *)
"absolute_URI_entry" <- <"absolute_URI"> !any;

(* relative_ref_entry  <- relative_ref !. *)
"relative_ref_entry" <- <"relative_ref"> !any;

(* relative_part_entry <- relative_part !. *)
"relative_part_entry" <- <"relative_part"> !any;

(* scheme_entry        <- scheme !. *)
"scheme_entry" <- <"scheme"> !any;

(* authority_entry     <- authority !. *)
"authority_entry" <- <"authority"> !any;

(* userinfo_entry      <- userinfo !. *)
"userinfo_entry" <- <"userinfo"> !any;

(* host_entry          <- host !. *)
"host_entry" <- <"host"> !any;

(* port_entry          <- port !. *)
"port_entry" <- <"port"> !any;

(* IP_literal_entry    <- IP_literal !. *)
"IP_literal_entry" <- <"IP_literal"> !any;

(* IPvFuture_entry     <- IPvFuture !. *)
"IPvFuture_entry" <- <"IPvFuture"> !any;

(* IPv6address_entry   <- IPv6address !. *)
"IPv6address_entry" <- <"IPv6address"> !any;

(* h16_entry           <- h16 !. *)
"h16_entry" <- <"h16"> !any;

(* ls32_entry          <- ls32 !. *)
"ls32_entry" <- <"ls32"> !any;

(* IPv4address_entry   <- IPv4address !. *)
"IPv4address_entry" <- <"IPv4address"> !any;

(* dec_octet_entry     <- dec_octet !. *)
"dec_octet_entry" <- <"dec_octet"> !any;

(* reg_name_entry      <- reg_name !. *)
"reg_name_entry" <- <"reg_name"> !any;

(* path_entry          <- path !. *)
"path_entry" <- <"path"> !any;

(* path_abempty_entry  <- path_abempty !. *)
"path_abempty_entry" <- <"path_abempty"> !any;

(* path_absolute_entry <- path_absolute !. *)
"path_absolute_entry" <- <"path_absolute"> !any;

(* path_noscheme_entry <- path_noscheme !. *)
"path_noscheme_entry" <- <"path_noscheme"> !any;

(* path_rootless_entry <- path_rootless !. *)
"path_rootless_entry" <- <"path_rootless"> !any;

(* path_empty_entry    <- path_empty !. *)
"path_empty_entry" <- <"path_empty"> !any;

(* segment_entry       <- segment !. *)
"segment_entry" <- <"segment"> !any;

(* segment_nz_entry    <- segment_nz !. *)
"segment_nz_entry" <- <"segment_nz"> !any;

(* segment_nz_nc_entry <- segment_nz_nc !. *)
"segment_nz_nc_entry" <- <"segment_nz_nc"> !any;

(* pchar_entry         <- pchar !. *)
"pchar_entry" <- <"pchar"> !any;

(* query_entry         <- query !. *)
"query_entry" <- <"query"> !any;

(* fragment_entry      <- fragment !. *)
"fragment_entry" <- <"fragment"> !any;

(* pct_encoded_entry   <- pct_encoded !. *)
"pct_encoded_entry" <- <"pct_encoded"> !any;

(* unreserved_entry    <- unreserved !. *)
"unreserved_entry" <- <"unreserved"> !any;

(* reserved_entry      <- reserved !. *)
"reserved_entry" <- <"reserved"> !any;

(* gen_delims_entry    <- gen_delims !. *)
"gen_delims_entry" <- <"gen_delims"> !any;

(* sub_delims_entry    <- sub_delims !. *)
"sub_delims_entry" <- <"sub_delims"> !any;

(* ALPHA_entry         <- ALPHA !. *)
"ALPHA_entry" <- <"ALPHA"> !any;

(* DIGIT_entry         <- DIGIT !. *)
"DIGIT_entry" <- <"DIGIT"> !any;

(* HEXDIG_entry        <- HEXDIG !. *)
"HEXDIG_entry" <- <"HEXDIG"> !any;

(* EOF <- !. *)
"EOF" <- !any
].

(** The productions and their rules. *)
Definition pairs : list (string * string) := [
  ("URI", "URI");
  ("hier-part", "hier_part");
  ("URI-reference", "URI_reference");
  ("absolute-URI", "absolute_URI");
  ("relative-ref", "relative_ref");
  ("relative-part", "relative_part");
  ("scheme", "scheme");
  ("authority", "authority");
  ("userinfo", "userinfo");
  ("host", "host");
  ("port", "port");
  ("IP-literal", "IP_literal");
  ("IPvFuture", "IPvFuture");
  ("IPv6address", "IPv6address");
  ("h16", "h16");
  ("ls32", "ls32");
  ("IPv4address", "IPv4address");
  ("dec-octet", "dec_octet");
  ("reg-name", "reg_name");
  ("path", "path");
  ("path-abempty", "path_abempty");
  ("path-absolute", "path_absolute");
  ("path-noscheme", "path_noscheme");
  ("path-rootless", "path_rootless");
  ("path-empty", "path_empty");
  ("segment", "segment");
  ("segment-nz", "segment_nz");
  ("segment-nz-nc", "segment_nz_nc");
  ("pchar", "pchar");
  ("query", "query");
  ("fragment", "fragment");
  ("pct-encoded", "pct_encoded");
  ("unreserved", "unreserved");
  ("reserved", "reserved");
  ("gen-delims", "gen_delims");
  ("sub-delims", "sub_delims");
  ("ALPHA", "ALPHA");
  ("DIGIT", "DIGIT");
  ("HEXDIG", "HEXDIG")
]%string.

(** Those that differ, each with a word that only one of the two has. *)
Definition different : list (string * string * word) := []%string.

(** The productions that the table has. *)
Definition tabled : list string := ["URI"; "hier-part"; "URI-reference"; "absolute-URI"; "relative-ref"; "relative-part"; "scheme"; "authority"; "userinfo"; "host"; "port"; "IP-literal"; "IPvFuture"; "IPv6address"; "h16"; "ls32"; "IPv4address"; "dec-octet"; "reg-name"; "path"; "path-abempty"; "path-absolute"; "path-noscheme"; "path-rootless"; "path-empty"; "segment"; "segment-nz"; "segment-nz-nc"; "pchar"; "query"; "fragment"; "pct-encoded"; "unreserved"; "reserved"; "gen-delims"; "sub-delims"; "ALPHA"; "DIGIT"; "HEXDIG"]%string.
