(** the package in rfc1738, written by bnfcheck --rocq. Above each production and each rule stand
    the lines that it was read from; where they have an odd number of quotation marks, Rocq wants one more. *)

Require Import Grammar Notations.

Definition productions : grammar := [

(* genericurl     = scheme ":" schemepart *)
"genericurl" ::= <"scheme"> ":" <"schemepart">;

(* url            = httpurl | ftpurl | newsurl |
                 nntpurl | telneturl | gopherurl |
                 waisurl | mailtourl | fileurl |
                 prosperourl | otherurl *)
"url" ::= <"httpurl"> | <"ftpurl"> | <"newsurl"> | <"nntpurl"> | <"telneturl"> | <"gopherurl"> | <"waisurl"> | <"mailtourl"> | <"fileurl"> | <"prosperourl"> | <"otherurl">;

(* otherurl       = genericurl *)
"otherurl" ::= <"genericurl">;

(* scheme         = 1*[ lowalpha | digit | "+" | "-" | "." ] *)
"scheme" ::= 1*( <"lowalpha"> | <"digit"> | "+" | "-" | "." );

(* schemepart     = *xchar | ip-schemepart *)
"schemepart" ::= *<"xchar"> | <"ip-schemepart">;

(* ip-schemepart  = "//" login [ "/" urlpath ] *)
"ip-schemepart" ::= "//" <"login"> [ "/" <"urlpath"> ];

(* login          = [ user [ ":" password ] "@" ] hostport *)
"login" ::= [ <"user"> [ ":" <"password"> ] "@" ] <"hostport">;

(* hostport       = host [ ":" port ] *)
"hostport" ::= <"host"> [ ":" <"port"> ];

(* host           = hostname | hostnumber *)
"host" ::= <"hostname"> | <"hostnumber">;

(* hostname       = *[ domainlabel "." ] toplabel *)
"hostname" ::= *( <"domainlabel"> "." ) <"toplabel">;

(* domainlabel    = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit *)
"domainlabel" ::= <"alphadigit"> | <"alphadigit"> *( <"alphadigit"> | "-" ) <"alphadigit">;

(* toplabel       = alpha | alpha *[ alphadigit | "-" ] alphadigit *)
"toplabel" ::= <"alpha"> | <"alpha"> *( <"alphadigit"> | "-" ) <"alphadigit">;

(* alphadigit     = alpha | digit *)
"alphadigit" ::= <"alpha"> | <"digit">;

(* hostnumber     = digits "." digits "." digits "." digits *)
"hostnumber" ::= <"digits"> "." <"digits"> "." <"digits"> "." <"digits">;

(* port           = digits *)
"port" ::= <"digits">;

(* user           = *[ uchar | ";" | "?" | "&" | "=" ] *)
"user" ::= *( <"uchar"> | ";" | "?" | "&" | "=" );

(* password       = *[ uchar | ";" | "?" | "&" | "=" ] *)
"password" ::= *( <"uchar"> | ";" | "?" | "&" | "=" );

(* urlpath        = *xchar    ; depends on protocol see section 3.1 *)
"urlpath" ::= *<"xchar">;

(* ftpurl         = "ftp://" login [ "/" fpath [ ";type=" ftptype ]] *)
"ftpurl" ::= "ftp://" <"login"> [ "/" <"fpath"> [ ";type=" <"ftptype"> ] ];

(* fpath          = fsegment *[ "/" fsegment ] *)
"fpath" ::= <"fsegment"> *( "/" <"fsegment"> );

(* fsegment       = *[ uchar | "?" | ":" | "@" | "&" | "=" ] *)
"fsegment" ::= *( <"uchar"> | "?" | ":" | "@" | "&" | "=" );

(* ftptype        = "A" | "I" | "D" | "a" | "i" | "d" *)
"ftptype" ::= "A" | "I" | "D" | "a" | "i" | "d";

(* fileurl        = "file://" [ host | "localhost" ] "/" fpath *)
"fileurl" ::= "file://" [ <"host"> | "localhost" ] "/" <"fpath">;

(* httpurl        = "http://" hostport [ "/" hpath [ "?" search ]] *)
"httpurl" ::= "http://" <"hostport"> [ "/" <"hpath"> [ "?" <"search"> ] ];

(* hpath          = hsegment *[ "/" hsegment ] *)
"hpath" ::= <"hsegment"> *( "/" <"hsegment"> );

(* hsegment       = *[ uchar | ";" | ":" | "@" | "&" | "=" ] *)
"hsegment" ::= *( <"uchar"> | ";" | ":" | "@" | "&" | "=" );

(* search         = *[ uchar | ";" | ":" | "@" | "&" | "=" ] *)
"search" ::= *( <"uchar"> | ";" | ":" | "@" | "&" | "=" );

(* gopherurl      = "gopher://" hostport [ / [ gtype [ selector
                 [ "%09" search [ "%09" gopher+_string ] ] ] ] ] *)
"gopherurl" ::= "gopher://" <"hostport"> [ "/" [ <"gtype"> [ <"selector"> [ "%09" <"search"> [ "%09" <"gopher+_string"> ] ] ] ] ];

(* gtype          = xchar *)
"gtype" ::= <"xchar">;

(* selector       = *xchar *)
"selector" ::= *<"xchar">;

(* gopher+_string = *xchar *)
"gopher+_string" ::= *<"xchar">;

(* mailtourl      = "mailto:" encoded822addr *)
"mailtourl" ::= "mailto:" <"encoded822addr">;

(* encoded822addr = 1*xchar               ; further defined in RFC822 *)
"encoded822addr" ::= 1*<"xchar">;

(* newsurl        = "news:" grouppart *)
"newsurl" ::= "news:" <"grouppart">;

(* grouppart      = "*" | group | article *)
"grouppart" ::= "*" | <"group"> | <"article">;

(* group          = alpha *[ alpha | digit | "-" | "." | "+" | "_" ] *)
"group" ::= <"alpha"> *( <"alpha"> | <"digit"> | "-" | "." | "+" | "_" );

(* article        = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host *)
"article" ::= 1*( <"uchar"> | ";" | "/" | "?" | ":" | "&" | "=" ) "@" <"host">;

(* nntpurl        = "nntp://" hostport "/" group [ "/" digits ] *)
"nntpurl" ::= "nntp://" <"hostport"> "/" <"group"> [ "/" <"digits"> ];

(* telneturl      = "telnet://" login [ "/" ] *)
"telneturl" ::= "telnet://" <"login"> [ "/" ];

(* waisurl        = waisdatabase | waisindex | waisdoc *)
"waisurl" ::= <"waisdatabase"> | <"waisindex"> | <"waisdoc">;

(* waisdatabase   = "wais://" hostport "/" database *)
"waisdatabase" ::= "wais://" <"hostport"> "/" <"database">;

(* waisindex      = "wais://" hostport "/" database "?" search *)
"waisindex" ::= "wais://" <"hostport"> "/" <"database"> "?" <"search">;

(* waisdoc        = "wais://" hostport "/" database "/" wtype "/" wpath *)
"waisdoc" ::= "wais://" <"hostport"> "/" <"database"> "/" <"wtype"> "/" <"wpath">;

(* database       = *uchar *)
"database" ::= *<"uchar">;

(* wtype          = *uchar *)
"wtype" ::= *<"uchar">;

(* wpath          = *uchar *)
"wpath" ::= *<"uchar">;

(* prosperourl    = "prospero://" hostport "/" ppath *[ fieldspec ] *)
"prosperourl" ::= "prospero://" <"hostport"> "/" <"ppath"> *<"fieldspec">;

(* ppath          = psegment *[ "/" psegment ] *)
"ppath" ::= <"psegment"> *( "/" <"psegment"> );

(* psegment       = *[ uchar | "?" | ":" | "@" | "&" | "=" ] *)
"psegment" ::= *( <"uchar"> | "?" | ":" | "@" | "&" | "=" );

(* fieldspec      = ";" fieldname "=" fieldvalue *)
"fieldspec" ::= ";" <"fieldname"> "=" <"fieldvalue">;

(* fieldname      = *[ uchar | "?" | ":" | "@" | "&" ] *)
"fieldname" ::= *( <"uchar"> | "?" | ":" | "@" | "&" );

(* fieldvalue     = *[ uchar | "?" | ":" | "@" | "&" ] *)
"fieldvalue" ::= *( <"uchar"> | "?" | ":" | "@" | "&" );

(* lowalpha       = "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" |
                 "i" | "j" | "k" | "l" | "m" | "n" | "o" | "p" |
                 "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" |
                 "y" | "z" *)
"lowalpha" ::= "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m" | "n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z";

(* hialpha        = "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" |
                 "J" | "K" | "L" | "M" | "N" | "O" | "P" | "Q" | "R" |
                 "S" | "T" | "U" | "V" | "W" | "X" | "Y" | "Z" *)
"hialpha" ::= "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" | "J" | "K" | "L" | "M" | "N" | "O" | "P" | "Q" | "R" | "S" | "T" | "U" | "V" | "W" | "X" | "Y" | "Z";

(* alpha          = lowalpha | hialpha *)
"alpha" ::= <"lowalpha"> | <"hialpha">;

(* digit          = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" |
                 "8" | "9" *)
"digit" ::= "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

(* safe           = "$" | "-" | "_" | "." | "+" *)
"safe" ::= "$" | "-" | "_" | "." | "+";

(* extra          = "!" | "*" | "'" | "(" | ")" | "," *)
"extra" ::= "!" | "*" | "'" | "(" | ")" | ",";

(* national       = "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`" *)
"national" ::= "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`";

(* punctuation    = "<" | ">" | "#" | "%" | <"> " *)
"punctuation" ::= "<" | ">" | "#" | "%" | """";

(* reserved       = ";" | "/" | "?" | ":" | "@" | "&" | "=" *)
"reserved" ::= ";" | "/" | "?" | ":" | "@" | "&" | "=";

(* hex            = digit | "A" | "B" | "C" | "D" | "E" | "F" |
                 "a" | "b" | "c" | "d" | "e" | "f" *)
"hex" ::= <"digit"> | "A" | "B" | "C" | "D" | "E" | "F" | "a" | "b" | "c" | "d" | "e" | "f";

(* escape         = "%" hex hex *)
"escape" ::= "%" <"hex"> <"hex">;

(* unreserved     = alpha | digit | safe | extra *)
"unreserved" ::= <"alpha"> | <"digit"> | <"safe"> | <"extra">;

(* uchar          = unreserved | escape *)
"uchar" ::= <"unreserved"> | <"escape">;

(* xchar          = unreserved | reserved | escape *)
"xchar" ::= <"unreserved"> | <"reserved"> | <"escape">;

(* digits         = 1*digit *)
"digits" ::= 1*<"digit">
].

Definition rules : grammar := [

(* genericurl "genericurl" <- v:( scheme ":" schemepart ) { return c.node("genericurl", v) } *)
"genericurl" <- <"scheme"> ":" <"schemepart">;

(* url "url" <- v:(
	httpurl EOF / ftpurl EOF / newsurl EOF / nntpurl EOF / telneturl EOF / gopherurl EOF
	/ waisurl EOF / mailtourl EOF / fileurl EOF / prosperourl EOF / otherurl
) { return c.node("url", v) } *)
"url" <- <"httpurl"> <"EOF"> / <"ftpurl"> <"EOF"> / <"newsurl"> <"EOF"> / <"nntpurl"> <"EOF"> / <"telneturl"> <"EOF"> / <"gopherurl"> <"EOF"> / <"waisurl"> <"EOF"> / <"mailtourl"> <"EOF"> / <"fileurl"> <"EOF"> / <"prosperourl"> <"EOF"> / <"otherurl">;

(* otherurl "otherurl" <- v:( genericurl ) { return c.node("otherurl", v) } *)
"otherurl" <- <"genericurl">;

(* scheme "scheme" <- v:( ( lowalpha / digit / [+.-] )+ ) { return c.node("scheme", v) } *)
"scheme" <- ( <"lowalpha"> / <"digit"> / { "+-." } )+;

(* schemepart "schemepart" <- v:( ip_schemepart !xchar / xchar* ) { return c.node("schemepart", v) } *)
"schemepart" <- <"ip_schemepart"> !<"xchar"> / <"xchar">*;

(* ip_schemepart "ip-schemepart" <- v:( "//" login ( "/" urlpath )? ) { return c.node("ip-schemepart", v) } *)
"ip_schemepart" <- "//" <"login"> ( "/" <"urlpath"> )?;

(* login "login" <- v:( ( user ( ":" password )? "@" )? hostport ) { return c.node("login", v) } *)
"login" <- ( <"user"> ( ":" <"password"> )? "@" )? <"hostport">;

(* hostport "hostport" <- v:( host ( ":" port )? ) { return c.node("hostport", v) } *)
"hostport" <- <"host"> ( ":" <"port"> )?;

(* host "host" <- v:( hostname / hostnumber ) { return c.node("host", v) } *)
"host" <- <"hostname"> / <"hostnumber">;

(* hostname "hostname" <- v:( ( domainlabel "." )* toplabel ) { return c.node("hostname", v) } *)
"hostname" <- ( <"domainlabel"> "." )* <"toplabel">;

(* domainlabel "domainlabel" <- v:( alphadigit ( "-"* alphadigit )* ) { return c.node("domainlabel", v) } *)
"domainlabel" <- <"alphadigit"> ( "-"* <"alphadigit"> )*;

(* toplabel "toplabel" <- v:( alpha ( "-"* alphadigit )* ) { return c.node("toplabel", v) } *)
"toplabel" <- <"alpha"> ( "-"* <"alphadigit"> )*;

(* alphadigit "alphadigit" <- alpha / digit *)
"alphadigit" <- <"alpha"> / <"digit">;

(* hostnumber "hostnumber" <- v:( digits "." digits "." digits "." digits ) { return c.node("hostnumber", v) } *)
"hostnumber" <- <"digits"> "." <"digits"> "." <"digits"> "." <"digits">;

(* port "port" <- v:( digits ) { return c.node("port", v) } *)
"port" <- <"digits">;

(* user "user" <- v:( ( uchar / [;?&=] )* ) { return c.node("user", v) } *)
"user" <- ( <"uchar"> / { "&;=?" } )*;

(* password "password" <- v:( ( uchar / [;?&=] )* ) { return c.node("password", v) } *)
"password" <- ( <"uchar"> / { "&;=?" } )*;

(* urlpath "urlpath" <- v:( xchar* ) { return c.node("urlpath", v) } *)
"urlpath" <- <"xchar">*;

(* ftpurl "ftpurl" <- v:( "ftp://" login ( "/" fpath ( ";type=" ftptype )? )? ) { return c.node("ftpurl", v) } *)
"ftpurl" <- "ftp://" <"login"> ( "/" <"fpath"> ( ";type=" <"ftptype"> )? )?;

(* fpath "fpath" <- v:( fsegment ( "/" fsegment )* ) { return c.node("fpath", v) } *)
"fpath" <- <"fsegment"> ( "/" <"fsegment"> )*;

(* fsegment "fsegment" <- v:( ( uchar / [?:@&=] )* ) { return c.node("fsegment", v) } *)
"fsegment" <- ( <"uchar"> / { "&:=?@" } )*;

(* ftptype "ftptype" <- v:( [AIDaid] ) { return c.node("ftptype", v) } *)
"ftptype" <- { "ADIadi" };

(* fileurl "fileurl" <- v:( "file://" ( host / "localhost" )? "/" fpath ) { return c.node("fileurl", v) } *)
"fileurl" <- "file://" ( <"host"> / "localhost" )? "/" <"fpath">;

(* httpurl "httpurl" <- v:( "http://" hostport ( "/" hpath ( "?" search )? )? ) { return c.node("httpurl", v) } *)
"httpurl" <- "http://" <"hostport"> ( "/" <"hpath"> ( "?" <"search"> )? )?;

(* hpath "hpath" <- v:( hsegment ( "/" hsegment )* ) { return c.node("hpath", v) } *)
"hpath" <- <"hsegment"> ( "/" <"hsegment"> )*;

(* hsegment "hsegment" <- v:( ( uchar / [;:@&=] )* ) { return c.node("hsegment", v) } *)
"hsegment" <- ( <"uchar"> / { "&:;=@" } )*;

(* search "search" <- v:( ( uchar / [;:@&=] )* ) { return c.node("search", v) } *)
"search" <- ( <"uchar"> / { "&:;=@" } )*;

(* gopherurl "gopherurl" <- v:(
	"gopher://" hostport ( "/" ( gtype (
		( v:( ( !( "%09" ( !"%09" ( uchar / [;:@&=] ) )* ( "%09" / !xchar ) ) xchar )* ) { return c.node("selector", v) } )
		( "%09" ( v:( ( !"%09" ( uchar / [;:@&=] ) )* ) { return c.node("search", v) } )
		  ( "%09" gopherplus_string )? )?
	)? )? )?
) { return c.node("gopherurl", v) } *)
"gopherurl" <- "gopher://" <"hostport"> ( "/" ( <"gtype"> ( ( !( "%09" ( !"%09" ( <"uchar"> / { "&:;=@" } ) )* ( "%09" / !<"xchar"> ) ) <"xchar"> )* ( "%09" ( !"%09" ( <"uchar"> / { "&:;=@" } ) )* ( "%09" <"gopherplus_string"> )? )? )? )? )?;

(* gtype "gtype" <- v:( xchar ) { return c.node("gtype", v) } *)
"gtype" <- <"xchar">;

(* selector "selector" <- v:( xchar* ) { return c.node("selector", v) } *)
"selector" <- <"xchar">*;

(* gopherplus_string "gopher+_string" <- v:( xchar* ) { return c.node("gopher+_string", v) } *)
"gopherplus_string" <- <"xchar">*;

(* mailtourl "mailtourl" <- v:( "mailto:" encoded822addr ) { return c.node("mailtourl", v) } *)
"mailtourl" <- "mailto:" <"encoded822addr">;

(* encoded822addr "encoded822addr" <- v:( xchar+ ) { return c.node("encoded822addr", v) } *)
"encoded822addr" <- <"xchar">+;

(* newsurl "newsurl" <- v:( "news:" grouppart ) { return c.node("newsurl", v) } *)
"newsurl" <- "news:" <"grouppart">;

(* grouppart "grouppart" <- v:( article / group / "*" ) { return c.node("grouppart", v) } *)
"grouppart" <- <"article"> / <"group"> / "*";

(* group "group" <- v:( alpha ( alpha / digit / [-.+_] )* ) { return c.node("group", v) } *)
"group" <- <"alpha"> ( <"alpha"> / <"digit"> / { "+-._" } )*;

(* article "article" <- v:( ( uchar / [;/?:&=] )+ "@" host ) { return c.node("article", v) } *)
"article" <- ( <"uchar"> / { "&/:;=?" } )+ "@" <"host">;

(* nntpurl "nntpurl" <- v:( "nntp://" hostport "/" group ( "/" digits )? ) { return c.node("nntpurl", v) } *)
"nntpurl" <- "nntp://" <"hostport"> "/" <"group"> ( "/" <"digits"> )?;

(* telneturl "telneturl" <- v:( "telnet://" login "/"? ) { return c.node("telneturl", v) } *)
"telneturl" <- "telnet://" <"login"> "/"?;

(* waisurl "waisurl" <- v:( waisdoc / waisindex / waisdatabase ) { return c.node("waisurl", v) } *)
"waisurl" <- <"waisdoc"> / <"waisindex"> / <"waisdatabase">;

(* waisdatabase "waisdatabase" <- v:( "wais://" hostport "/" database ) { return c.node("waisdatabase", v) } *)
"waisdatabase" <- "wais://" <"hostport"> "/" <"database">;

(* waisindex "waisindex" <- v:( "wais://" hostport "/" database "?" search ) { return c.node("waisindex", v) } *)
"waisindex" <- "wais://" <"hostport"> "/" <"database"> "?" <"search">;

(* waisdoc "waisdoc" <- v:( "wais://" hostport "/" database "/" wtype "/" wpath ) { return c.node("waisdoc", v) } *)
"waisdoc" <- "wais://" <"hostport"> "/" <"database"> "/" <"wtype"> "/" <"wpath">;

(* database "database" <- v:( uchar* ) { return c.node("database", v) } *)
"database" <- <"uchar">*;

(* wtype "wtype" <- v:( uchar* ) { return c.node("wtype", v) } *)
"wtype" <- <"uchar">*;

(* wpath "wpath" <- v:( uchar* ) { return c.node("wpath", v) } *)
"wpath" <- <"uchar">*;

(* prosperourl "prosperourl" <- v:( "prospero://" hostport "/" ppath fieldspec* ) { return c.node("prosperourl", v) } *)
"prosperourl" <- "prospero://" <"hostport"> "/" <"ppath"> <"fieldspec">*;

(* ppath "ppath" <- v:( psegment ( "/" psegment )* ) { return c.node("ppath", v) } *)
"ppath" <- <"psegment"> ( "/" <"psegment"> )*;

(* psegment "psegment" <- v:( ( uchar / [?:@&=] )* ) { return c.node("psegment", v) } *)
"psegment" <- ( <"uchar"> / { "&:=?@" } )*;

(* fieldspec "fieldspec" <- v:( ";" fieldname "=" fieldvalue ) { return c.node("fieldspec", v) } *)
"fieldspec" <- ";" <"fieldname"> "=" <"fieldvalue">;

(* fieldname "fieldname" <- v:( ( uchar / [?:@&] )* ) { return c.node("fieldname", v) } *)
"fieldname" <- ( <"uchar"> / { "&:?@" } )*;

(* fieldvalue "fieldvalue" <- v:( ( uchar / [?:@&] )* ) { return c.node("fieldvalue", v) } *)
"fieldvalue" <- ( <"uchar"> / { "&:?@" } )*;

(* lowalpha "lowalpha" <- [a-z] *)
"lowalpha" <- { "a"-"z" };

(* hialpha "hialpha" <- [A-Z] *)
"hialpha" <- { "A"-"Z" };

(* alpha "alpha" <- lowalpha / hialpha *)
"alpha" <- <"lowalpha"> / <"hialpha">;

(* digit "digit" <- [0-9] *)
"digit" <- { "0"-"9" };

(* safe "safe" <- [$_.+-] *)
"safe" <- { "$+-._" };

(* extra "extra" <- [!*'(),] *)
"extra" <- { "'"-"*" } / { "!," };

(* national "national" <- [{}|\\^~[\]`] *)
"national" <- { "["-"^" } / { "{"-"~" } / { "`" };

(* punctuation "punctuation" <- [<>#%"] " *)
"punctuation" <- { """#%<>" };

(* reserved "reserved" <- [;/?:@&=] *)
"reserved" <- { "&/:;=?@" };

(* hex "hex" <- digit / [A-Fa-f] *)
"hex" <- <"digit"> / ( { "A"-"F" } / { "a"-"f" } );

(* escape "escape" <- "%" hex hex *)
"escape" <- "%" <"hex"> <"hex">;

(* unreserved "unreserved" <- alpha / digit / safe / extra *)
"unreserved" <- <"alpha"> / <"digit"> / <"safe"> / <"extra">;

(* uchar "uchar" <- unreserved / escape *)
"uchar" <- <"unreserved"> / <"escape">;

(* xchar "xchar" <- unreserved / reserved / escape *)
"xchar" <- <"unreserved"> / <"reserved"> / <"escape">;

(* digits "digits" <- v:( digit+ ) { return c.node("digits", v) } *)
"digits" <- <"digit">+;

(* genericurl_entry        <- genericurl !. *)
"genericurl_entry" <- <"genericurl"> !any;

(* url_entry               <- url !. *)
"url_entry" <- <"url"> !any;

(* otherurl_entry          <- otherurl !. *)
"otherurl_entry" <- <"otherurl"> !any;

(* scheme_entry            <- scheme !. *)
"scheme_entry" <- <"scheme"> !any;

(* schemepart_entry        <- schemepart !. *)
"schemepart_entry" <- <"schemepart"> !any;

(* ip_schemepart_entry     <- ip_schemepart !. *)
"ip_schemepart_entry" <- <"ip_schemepart"> !any;

(* login_entry             <- login !. *)
"login_entry" <- <"login"> !any;

(* hostport_entry          <- hostport !. *)
"hostport_entry" <- <"hostport"> !any;

(* host_entry              <- host !. *)
"host_entry" <- <"host"> !any;

(* hostname_entry          <- hostname !. *)
"hostname_entry" <- <"hostname"> !any;

(* domainlabel_entry       <- domainlabel !. *)
"domainlabel_entry" <- <"domainlabel"> !any;

(* toplabel_entry          <- toplabel !. *)
"toplabel_entry" <- <"toplabel"> !any;

(* alphadigit_entry        <- alphadigit !. *)
"alphadigit_entry" <- <"alphadigit"> !any;

(* hostnumber_entry        <- hostnumber !. *)
"hostnumber_entry" <- <"hostnumber"> !any;

(* port_entry              <- port !. *)
"port_entry" <- <"port"> !any;

(* user_entry              <- user !. *)
"user_entry" <- <"user"> !any;

(* password_entry          <- password !. *)
"password_entry" <- <"password"> !any;

(* urlpath_entry           <- urlpath !. *)
"urlpath_entry" <- <"urlpath"> !any;

(* ftpurl_entry            <- ftpurl !. *)
"ftpurl_entry" <- <"ftpurl"> !any;

(* fpath_entry             <- fpath !. *)
"fpath_entry" <- <"fpath"> !any;

(* fsegment_entry          <- fsegment !. *)
"fsegment_entry" <- <"fsegment"> !any;

(* ftptype_entry           <- ftptype !. *)
"ftptype_entry" <- <"ftptype"> !any;

(* fileurl_entry           <- fileurl !. *)
"fileurl_entry" <- <"fileurl"> !any;

(* httpurl_entry           <- httpurl !. *)
"httpurl_entry" <- <"httpurl"> !any;

(* hpath_entry             <- hpath !. *)
"hpath_entry" <- <"hpath"> !any;

(* hsegment_entry          <- hsegment !. *)
"hsegment_entry" <- <"hsegment"> !any;

(* search_entry            <- search !. *)
"search_entry" <- <"search"> !any;

(* gopherurl_entry         <- gopherurl !. *)
"gopherurl_entry" <- <"gopherurl"> !any;

(* gtype_entry             <- gtype !. *)
"gtype_entry" <- <"gtype"> !any;

(* selector_entry          <- selector !. *)
"selector_entry" <- <"selector"> !any;

(* gopherplus_string_entry <- gopherplus_string !. *)
"gopherplus_string_entry" <- <"gopherplus_string"> !any;

(* mailtourl_entry         <- mailtourl !. *)
"mailtourl_entry" <- <"mailtourl"> !any;

(* encoded822addr_entry    <- encoded822addr !. *)
"encoded822addr_entry" <- <"encoded822addr"> !any;

(* newsurl_entry           <- newsurl !. *)
"newsurl_entry" <- <"newsurl"> !any;

(* grouppart_entry         <- grouppart !. *)
"grouppart_entry" <- <"grouppart"> !any;

(* group_entry             <- group !. *)
"group_entry" <- <"group"> !any;

(* article_entry           <- article !. *)
"article_entry" <- <"article"> !any;

(* nntpurl_entry           <- nntpurl !. *)
"nntpurl_entry" <- <"nntpurl"> !any;

(* telneturl_entry         <- telneturl !. *)
"telneturl_entry" <- <"telneturl"> !any;

(* waisurl_entry           <- waisurl !. *)
"waisurl_entry" <- <"waisurl"> !any;

(* waisdatabase_entry      <- waisdatabase !. *)
"waisdatabase_entry" <- <"waisdatabase"> !any;

(* waisindex_entry         <- waisindex !. *)
"waisindex_entry" <- <"waisindex"> !any;

(* waisdoc_entry           <- waisdoc !. *)
"waisdoc_entry" <- <"waisdoc"> !any;

(* database_entry          <- database !. *)
"database_entry" <- <"database"> !any;

(* wtype_entry             <- wtype !. *)
"wtype_entry" <- <"wtype"> !any;

(* wpath_entry             <- wpath !. *)
"wpath_entry" <- <"wpath"> !any;

(* prosperourl_entry       <- prosperourl !. *)
"prosperourl_entry" <- <"prosperourl"> !any;

(* ppath_entry             <- ppath !. *)
"ppath_entry" <- <"ppath"> !any;

(* psegment_entry          <- psegment !. *)
"psegment_entry" <- <"psegment"> !any;

(* fieldspec_entry         <- fieldspec !. *)
"fieldspec_entry" <- <"fieldspec"> !any;

(* fieldname_entry         <- fieldname !. *)
"fieldname_entry" <- <"fieldname"> !any;

(* fieldvalue_entry        <- fieldvalue !. *)
"fieldvalue_entry" <- <"fieldvalue"> !any;

(* lowalpha_entry          <- lowalpha !. *)
"lowalpha_entry" <- <"lowalpha"> !any;

(* hialpha_entry           <- hialpha !. *)
"hialpha_entry" <- <"hialpha"> !any;

(* alpha_entry             <- alpha !. *)
"alpha_entry" <- <"alpha"> !any;

(* digit_entry             <- digit !. *)
"digit_entry" <- <"digit"> !any;

(* safe_entry              <- safe !. *)
"safe_entry" <- <"safe"> !any;

(* extra_entry             <- extra !. *)
"extra_entry" <- <"extra"> !any;

(* national_entry          <- national !. *)
"national_entry" <- <"national"> !any;

(* punctuation_entry       <- punctuation !. *)
"punctuation_entry" <- <"punctuation"> !any;

(* reserved_entry          <- reserved !. *)
"reserved_entry" <- <"reserved"> !any;

(* hex_entry               <- hex !. *)
"hex_entry" <- <"hex"> !any;

(* escape_entry            <- escape !. *)
"escape_entry" <- <"escape"> !any;

(* unreserved_entry        <- unreserved !. *)
"unreserved_entry" <- <"unreserved"> !any;

(* uchar_entry             <- uchar !. *)
"uchar_entry" <- <"uchar"> !any;

(* xchar_entry             <- xchar !. *)
"xchar_entry" <- <"xchar"> !any;

(* digits_entry            <- digits !. *)
"digits_entry" <- <"digits"> !any;

(* EOF <- !. *)
"EOF" <- !any
].

(** The productions and their rules. *)
Definition pairs : list (string * string) := [
  ("genericurl", "genericurl");
  ("url", "url");
  ("otherurl", "otherurl");
  ("scheme", "scheme");
  ("schemepart", "schemepart");
  ("ip-schemepart", "ip_schemepart");
  ("login", "login");
  ("hostport", "hostport");
  ("host", "host");
  ("hostname", "hostname");
  ("domainlabel", "domainlabel");
  ("toplabel", "toplabel");
  ("alphadigit", "alphadigit");
  ("hostnumber", "hostnumber");
  ("port", "port");
  ("user", "user");
  ("password", "password");
  ("urlpath", "urlpath");
  ("ftpurl", "ftpurl");
  ("fpath", "fpath");
  ("fsegment", "fsegment");
  ("ftptype", "ftptype");
  ("fileurl", "fileurl");
  ("httpurl", "httpurl");
  ("hpath", "hpath");
  ("hsegment", "hsegment");
  ("search", "search");
  ("gopherurl", "gopherurl");
  ("gtype", "gtype");
  ("selector", "selector");
  ("gopher+_string", "gopherplus_string");
  ("mailtourl", "mailtourl");
  ("encoded822addr", "encoded822addr");
  ("newsurl", "newsurl");
  ("grouppart", "grouppart");
  ("group", "group");
  ("article", "article");
  ("nntpurl", "nntpurl");
  ("telneturl", "telneturl");
  ("waisurl", "waisurl");
  ("waisdatabase", "waisdatabase");
  ("waisindex", "waisindex");
  ("waisdoc", "waisdoc");
  ("database", "database");
  ("wtype", "wtype");
  ("wpath", "wpath");
  ("prosperourl", "prosperourl");
  ("ppath", "ppath");
  ("psegment", "psegment");
  ("fieldspec", "fieldspec");
  ("fieldname", "fieldname");
  ("fieldvalue", "fieldvalue");
  ("lowalpha", "lowalpha");
  ("hialpha", "hialpha");
  ("alpha", "alpha");
  ("digit", "digit");
  ("safe", "safe");
  ("extra", "extra");
  ("national", "national");
  ("punctuation", "punctuation");
  ("reserved", "reserved");
  ("hex", "hex");
  ("escape", "escape");
  ("unreserved", "unreserved");
  ("uchar", "uchar");
  ("xchar", "xchar");
  ("digits", "digits")
]%string.

(** Those that differ, each with a word that only one of the two has. *)
Definition different : list (string * string * word) := []%string.

(** The productions that the table has. *)
Definition tabled : list string := ["genericurl"; "url"; "otherurl"; "scheme"; "schemepart"; "ip-schemepart"; "login"; "hostport"; "host"; "hostname"; "domainlabel"; "toplabel"; "alphadigit"; "hostnumber"; "port"; "user"; "password"; "urlpath"; "ftpurl"; "fpath"; "fsegment"; "ftptype"; "fileurl"; "httpurl"; "hpath"; "hsegment"; "search"; "gopherurl"; "gtype"; "selector"; "gopher+_string"; "mailtourl"; "encoded822addr"; "newsurl"; "grouppart"; "group"; "article"; "nntpurl"; "telneturl"; "waisurl"; "waisdatabase"; "waisindex"; "waisdoc"; "database"; "wtype"; "wpath"; "prosperourl"; "ppath"; "psegment"; "fieldspec"; "fieldname"; "fieldvalue"; "lowalpha"; "hialpha"; "alpha"; "digit"; "safe"; "extra"; "national"; "punctuation"; "reserved"; "hex"; "escape"; "unreserved"; "uchar"; "xchar"; "digits"]%string.
