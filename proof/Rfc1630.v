(** the package in rfc1630, written by bnfcheck --rocq. Above each production and each rule stand
    the lines that it was read from; where they have an odd number of quotation marks, Rocq wants one more. *)

Require Import Grammar Notations.

Definition productions : grammar := [

(*      fragmentaddress        uri [ # fragmentid ]
   read as uri_fragmentaddress = prefixedurl [ # fragmentid ] | url [ # fragmentid ] | uri [ # fragmentid ] because reading 1630-fragment *)
"uri_fragmentaddress" ::= <"prefixedurl"> [ "#" <"uri_fragmentid"> ] | <"url"> [ "#" <"uri_fragmentid"> ] | <"uri"> [ "#" <"uri_fragmentid"> ];

(*      uri                    scheme :  path [ ? search ] *)
"uri" ::= <"uri_scheme"> ":" <"uri_path"> [ "?" <"uri_search"> ];

(*      scheme                 ialpha *)
"uri_scheme" ::= <"uri_ialpha">;

(*      path                   void |  xpalphas  [  / path ]
   read as uri_path = [ xpalphas ] [ / path ] because reading 1630-void-segment *)
"uri_path" ::= [ <"uri_xpalphas"> ] [ "/" <"uri_path"> ];

(*      search                 xalphas [ + search ] *)
"uri_search" ::= <"uri_xalphas"> [ "+" <"uri_search"> ];

(*      fragmentid             xalphas *)
"uri_fragmentid" ::= <"uri_xalphas">;

(*      xalpha                 alpha | digit | safe | extra | escape *)
"uri_xalpha" ::= <"uri_alpha"> | <"uri_digit"> | <"uri_safe"> | <"uri_extra"> | <"uri_escape">;

(*      xalphas                xalpha [ xalphas ] *)
"uri_xalphas" ::= <"uri_xalpha"> [ <"uri_xalphas"> ];

(*      xpalpha                xalpha | + *)
"uri_xpalpha" ::= <"uri_xalpha"> | "+";

(*      xpalphas               xpalpha [ xpalpha ]
   read as uri_xpalphas = xpalpha [ xpalphas ] because reading 1630-xpalphas *)
"uri_xpalphas" ::= <"uri_xpalpha"> [ <"uri_xpalphas"> ];

(*      ialpha                 alpha [ xalphas ] *)
"uri_ialpha" ::= <"uri_alpha"> [ <"uri_xalphas"> ];

(*      alpha                  a | b | c | d | e | f | g | h | i | j | k |
                            l | m | n | o  | p | q | r | s | t | u | v |
                            w | x | y | z | A | B | C  | D | E | F | G |
                            H | I | J | K | L | M | N | O | P |  Q | R |
                            S | T | U | V | W | X | Y | Z *)
"uri_alpha" ::= "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m" | "n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z" | "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" | "J" | "K" | "L" | "M" | "N" | "O" | "P" | "Q" | "R" | "S" | "T" | "U" | "V" | "W" | "X" | "Y" | "Z";

(*      digit                  0 |1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 *)
"uri_digit" ::= "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

(*      safe                   $ | - | _ | @ | . | & *)
"uri_safe" ::= "$" | "-" | "_" | "@" | "." | "&";

(*      extra                  ! | * | " |  ' | ( | ) | , " *)
"uri_extra" ::= "!" | "*" | """" | "'" | "(" | ")" | ",";

(*      reserved               = | ; | / | # | ? | : | space *)
"uri_reserved" ::= "=" | ";" | "/" | "#" | "?" | ":" | " ";

(*      escape                 % hex hex *)
"uri_escape" ::= "%" <"uri_hex"> <"uri_hex">;

(*      hex                    digit | a | b | c | d | e | f | A | B | C |
                            D | E | F *)
"uri_hex" ::= <"uri_digit"> | "a" | "b" | "c" | "d" | "e" | "f" | "A" | "B" | "C" | "D" | "E" | "F";

(*      national               { | } | vline | [ | ] | \ | ^ | ~ *)
"uri_national" ::= "{" | "}" | "|" | "[" | "]" | "\" | "^" | "~";

(*      punctuation            < | > *)
"uri_punctuation" ::= "<" | ">";

(*      void *)
"uri_void" ::= "";

(*   prefixedurl            u r l : url *)
"prefixedurl" ::= "url:" <"url">;

(*   url                    httpaddress | ftpaddress | newsaddress |
                         nntpaddress | prosperoaddress | telnetaddress
                         | gopheraddress | waisaddress |
                         mailtoaddress  | midaddress | cidaddress *)
"url" ::= <"httpaddress"> | <"ftpaddress"> | <"newsaddress"> | <"nntpaddress"> | <"prosperoaddress"> | <"telnetaddress"> | <"gopheraddress"> | <"waisaddress"> | <"mailtoaddress"> | <"midaddress"> | <"cidaddress">;

(*   scheme                 ialpha *)
"url_scheme" ::= <"url_ialpha">;

(*   httpaddress            h t t p :   / / hostport [  / path ] [ ?
                         search ] *)
"httpaddress" ::= "http://" <"hostport"> [ "/" <"url_path"> ] [ "?" <"url_search"> ];

(*   ftpaddress             f t p : / / login / path [  ftptype ] *)
"ftpaddress" ::= "ftp://" <"login"> "/" <"url_path"> [ <"ftptype"> ];

(*   afsaddress             a f s : / / cellname / path *)
"afsaddress" ::= "afs://" <"cellname"> "/" <"url_path">;

(*   newsaddress            n e w s : groupart *)
"newsaddress" ::= "news:" <"groupart">;

(*   nntpaddress            n n t p : group /  digits *)
"nntpaddress" ::= "nntp:" <"group"> "/" <"digits">;

(*   midaddress             m i d  :  addr-spec
   read as midaddress = m i d : xalphas @ hostname because reading 1630-addr-spec *)
"midaddress" ::= "mid:" <"url_xalphas"> "@" <"hostname">;

(*   cidaddress             c i d : content-identifier
   read as cidaddress = c i d : xalphas @ hostname because reading 1630-content-identifier *)
"cidaddress" ::= "cid:" <"url_xalphas"> "@" <"hostname">;

(*   mailtoaddress          m a i l t o : xalphas @ hostname *)
"mailtoaddress" ::= "mailto:" <"url_xalphas"> "@" <"hostname">;

(*   waisaddress            waisindex | waisdoc *)
"waisaddress" ::= <"waisindex"> | <"waisdoc">;

(*   waisindex              w a i s : / / hostport / database [ ? search
                         ] *)
"waisindex" ::= "wais://" <"hostport"> "/" <"database"> [ "?" <"url_search"> ];

(*   waisdoc                w a i s : / / hostport / database / wtype  /
                         wpath *)
"waisdoc" ::= "wais://" <"hostport"> "/" <"database"> "/" <"wtype"> "/" <"wpath">;

(*   wpath                  digits = path ;  [ wpath ] *)
"wpath" ::= <"digits"> "=" <"url_path"> ";" [ <"wpath"> ];

(*   groupart               * | group | article *)
"groupart" ::= "*" | <"group"> | <"article">;

(*   group                  ialpha [ . group ] *)
"group" ::= <"url_ialpha"> [ "." <"group"> ];

(*   article                xalphas @ host *)
"article" ::= <"url_xalphas"> "@" <"host">;

(*   database               xalphas *)
"database" ::= <"url_xalphas">;

(*   wtype                  xalphas *)
"wtype" ::= <"url_xalphas">;

(*   prosperoaddress        prosperolink *)
"prosperoaddress" ::= <"prosperolink">;

(*   prosperolink           p r o s p e r o : / / hostport / hsoname [ %
                         0 0 version [ attributes ] ] *)
"prosperolink" ::= "prospero://" <"hostport"> "/" <"hsoname"> [ "%00" <"version"> [ <"attributes"> ] ];

(*   hsoname                path *)
"hsoname" ::= <"url_path">;

(*   version                digits *)
"version" ::= <"digits">;

(*   attributes             attribute [ attributes ] *)
"attributes" ::= <"attribute"> [ <"attributes"> ];

(*   attribute              alphanums *)
"attribute" ::= <"alphanums">;

(*   telnetaddress          t e l n e t : / / login *)
"telnetaddress" ::= "telnet://" <"login">;

(*   gopheraddress          g o p h e r : / / hostport [/ gtype  [
                         gcommand ] ] *)
"gopheraddress" ::= "gopher://" <"hostport"> [ "/" <"gtype"> [ <"gcommand"> ] ];

(*   login                  [ user [ : password ] @ ] hostport *)
"login" ::= [ <"user"> [ ":" <"password"> ] "@" ] <"hostport">;

(*   hostport               host [ : port ] *)
"hostport" ::= <"host"> [ ":" <"port"> ];

(*   host                   hostname | hostnumber *)
"host" ::= <"hostname"> | <"hostnumber">;

(*   ftptype                A formcode | E formcode | I | L digits *)
"ftptype" ::= "A" <"formcode"> | "E" <"formcode"> | "I" | "L" <"digits">;

(*   formcode               N | T | C *)
"formcode" ::= "N" | "T" | "C";

(*   cellname               hostname *)
"cellname" ::= <"hostname">;

(*   hostname               ialpha [  .  hostname ] *)
"hostname" ::= <"url_ialpha"> [ "." <"hostname"> ];

(*   hostnumber             digits . digits . digits . digits *)
"hostnumber" ::= <"digits"> "." <"digits"> "." <"digits"> "." <"digits">;

(*   port                   digits *)
"port" ::= <"digits">;

(*   gcommand               path *)
"gcommand" ::= <"url_path">;

(*   path                   void |  segment  [  / path ]
   read as url_path = [ segment ] [ / path ] because reading 1630-void-segment *)
"url_path" ::= [ <"segment"> ] [ "/" <"url_path"> ];

(*   segment                xpalphas *)
"segment" ::= <"url_xpalphas">;

(*   search                 xalphas [ + search ] *)
"url_search" ::= <"url_xalphas"> [ "+" <"url_search"> ];

(*   user                   alphanum2 [ user ] *)
"user" ::= <"alphanum2"> [ <"user"> ];

(*   password               alphanum2 [ password ] *)
"password" ::= <"alphanum2"> [ <"password"> ];

(*   fragmentid             xalphas *)
"url_fragmentid" ::= <"url_xalphas">;

(*   gtype                  xalpha *)
"gtype" ::= <"url_xalpha">;

(*   alphanum2              alpha | digit | - | _ | . | + *)
"alphanum2" ::= <"url_alpha"> | <"url_digit"> | "-" | "_" | "." | "+";

(*   xalpha                 alpha | digit | safe | extra | escape *)
"url_xalpha" ::= <"url_alpha"> | <"url_digit"> | <"url_safe"> | <"url_extra"> | <"url_escape">;

(*   xalphas                xalpha [ xalphas ] *)
"url_xalphas" ::= <"url_xalpha"> [ <"url_xalphas"> ];

(*   xpalpha                xalpha | + *)
"url_xpalpha" ::= <"url_xalpha"> | "+";

(*   xpalphas               xpalpha [ xpalphas ] *)
"url_xpalphas" ::= <"url_xpalpha"> [ <"url_xpalphas"> ];

(*   ialpha                 alpha [ xalphas ] *)
"url_ialpha" ::= <"url_alpha"> [ <"url_xalphas"> ];

(*   alpha                  a | b | c | d | e | f | g | h | i | j | k |
                         l | m | n | o  | p | q | r | s | t | u | v |
                         w | x | y | z | A | B | C  | D | E | F | G |
                         H | I | J | K | L | M | N | O | P |  Q | R |
                         S | T | U | V | W | X | Y | Z *)
"url_alpha" ::= "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m" | "n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z" | "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" | "J" | "K" | "L" | "M" | "N" | "O" | "P" | "Q" | "R" | "S" | "T" | "U" | "V" | "W" | "X" | "Y" | "Z";

(*   digit                  0 |1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 *)
"url_digit" ::= "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

(*   safe                   $ | - | _ | @ | . | &  | + | - *)
"url_safe" ::= "$" | "-" | "_" | "@" | "." | "&" | "+" | "-";

(*   extra                  ! | * |  " |  ' | ( | )  | , " *)
"url_extra" ::= "!" | "*" | """" | "'" | "(" | ")" | ",";

(*   reserved               =  |  ;  |  /  |  #  | ? |  : | space *)
"url_reserved" ::= "=" | ";" | "/" | "#" | "?" | ":" | " ";

(*   escape                 % hex hex *)
"url_escape" ::= "%" <"url_hex"> <"url_hex">;

(*   hex                    digit | a | b | c | d | e | f | A | B | C |
                         D | E | F *)
"url_hex" ::= <"url_digit"> | "a" | "b" | "c" | "d" | "e" | "f" | "A" | "B" | "C" | "D" | "E" | "F";

(*   national               { | } | vline | [ | ] | \ | ^ | ~ *)
"url_national" ::= "{" | "}" | "|" | "[" | "]" | "\" | "^" | "~";

(*   punctuation            < | > *)
"url_punctuation" ::= "<" | ">";

(*   digits                 digit [ digits ] *)
"digits" ::= <"url_digit"> [ <"digits"> ];

(*   alphanum               alpha | digit *)
"alphanum" ::= <"url_alpha"> | <"url_digit">;

(*   alphanums              alphanum [ alphanums ] *)
"alphanums" ::= <"alphanum"> [ <"alphanums"> ];

(*   void *)
"url_void" ::= ""
].

Definition rules : grammar := [

(* uri_fragmentaddress "fragmentaddress" <- v:(
	( prefixedurl &( "#" / EOF ) / url &( "#" / EOF ) / uri ) ( "#" uri_fragmentid )?
) { return c.node("uri_fragmentaddress", v) } *)
"uri_fragmentaddress" <- ( <"prefixedurl"> &( "#" / <"EOF"> ) / <"url"> &( "#" / <"EOF"> ) / <"uri"> ) ( "#" <"uri_fragmentid"> )?;

(* uri "uri" <- v:( uri_scheme ":" uri_path ( "?" uri_search )? ) { return c.node("uri", v) } *)
"uri" <- <"uri_scheme"> ":" <"uri_path"> ( "?" <"uri_search"> )?;

(* uri_scheme "scheme" <- v:( uri_ialpha ) { return c.node("uri_scheme", v) } *)
"uri_scheme" <- <"uri_ialpha">;

(* uri_path "path" <- v:( uri_xpalphas? ( "/" uri_xpalphas? )* ) { return c.node("uri_path", v) } *)
"uri_path" <- <"uri_xpalphas">? ( "/" <"uri_xpalphas">? )*;

(* uri_search "search" <- v:( uri_xalphas ( "+" uri_xalphas )* ) { return c.node("uri_search", v) } *)
"uri_search" <- <"uri_xalphas"> ( "+" <"uri_xalphas"> )*;

(* uri_fragmentid "fragmentid" <- v:( uri_xalphas ) { return c.node("uri_fragmentid", v) } *)
"uri_fragmentid" <- <"uri_xalphas">;

(* uri_xalpha "xalpha" <- uri_alpha / uri_digit / uri_safe / uri_extra / uri_escape *)
"uri_xalpha" <- <"uri_alpha"> / <"uri_digit"> / <"uri_safe"> / <"uri_extra"> / <"uri_escape">;

(* uri_xalphas "xalphas" <- v:( uri_xalpha+ ) { return c.node("uri_xalphas", v) } *)
"uri_xalphas" <- <"uri_xalpha">+;

(* uri_xpalpha "xpalpha" <- uri_xalpha / "+" *)
"uri_xpalpha" <- <"uri_xalpha"> / "+";

(* uri_xpalphas "xpalphas" <- v:( uri_xpalpha+ ) { return c.node("uri_xpalphas", v) } *)
"uri_xpalphas" <- <"uri_xpalpha">+;

(* uri_ialpha "ialpha" <- v:( uri_alpha uri_xalphas? ) { return c.node("uri_ialpha", v) } *)
"uri_ialpha" <- <"uri_alpha"> <"uri_xalphas">?;

(* uri_alpha "alpha" <- [a-zA-Z] *)
"uri_alpha" <- { "A"-"Z" } / { "a"-"z" };

(* uri_digit "digit" <- [0-9] *)
"uri_digit" <- { "0"-"9" };

(* uri_safe "safe" <- [$_@.&-] *)
"uri_safe" <- { "$&-.@_" };

(* uri_extra "extra" <- [!*"'(),] " *)
"uri_extra" <- { "'"-"*" } / { "!""," };

(* uri_reserved "reserved" <- [=;/#?: ] *)
"uri_reserved" <- { " #/:;=?" };

(* uri_escape "escape" <- "%" uri_hex uri_hex *)
"uri_escape" <- "%" <"uri_hex"> <"uri_hex">;

(* uri_hex "hex" <- uri_digit / [a-fA-F] *)
"uri_hex" <- <"uri_digit"> / ( { "A"-"F" } / { "a"-"f" } );

(* uri_national "national" <- [{}|[\]\\^~] *)
"uri_national" <- { "["-"^" } / { "{"-"~" };

(* uri_punctuation "punctuation" <- [<>] *)
"uri_punctuation" <- { "<>" };

(* uri_void "void" <- "" *)
"uri_void" <- "";

(* prefixedurl "prefixedurl" <- v:( "url:" url ) { return c.node("prefixedurl", v) } *)
"prefixedurl" <- "url:" <"url">;

(* url "url" <- v:(
	httpaddress / ftpaddress / newsaddress / nntpaddress / prosperoaddress / telnetaddress
	/ gopheraddress / waisaddress / mailtoaddress / midaddress / cidaddress
) { return c.node("url", v) } *)
"url" <- <"httpaddress"> / <"ftpaddress"> / <"newsaddress"> / <"nntpaddress"> / <"prosperoaddress"> / <"telnetaddress"> / <"gopheraddress"> / <"waisaddress"> / <"mailtoaddress"> / <"midaddress"> / <"cidaddress">;

(* url_scheme "scheme" <- v:( url_ialpha ) { return c.node("url_scheme", v) } *)
"url_scheme" <- <"url_ialpha">;

(* httpaddress "httpaddress" <- v:( "http://" hostport ( "/" url_path )? ( "?" url_search )? ) { return c.node("httpaddress", v) } *)
"httpaddress" <- "http://" <"hostport"> ( "/" <"url_path"> )? ( "?" <"url_search"> )?;

(* ftpaddress "ftpaddress" <- v:( "ftp://" login "/" url_path ftptype? ) { return c.node("ftpaddress", v) } *)
"ftpaddress" <- "ftp://" <"login"> "/" <"url_path"> <"ftptype">?;

(* afsaddress "afsaddress" <- v:( "afs://" cellname "/" url_path ) { return c.node("afsaddress", v) } *)
"afsaddress" <- "afs://" <"cellname"> "/" <"url_path">;

(* newsaddress "newsaddress" <- v:( "news:" groupart ) { return c.node("newsaddress", v) } *)
"newsaddress" <- "news:" <"groupart">;

(* nntpaddress "nntpaddress" <- v:( "nntp:" group "/" digits ) { return c.node("nntpaddress", v) } *)
"nntpaddress" <- "nntp:" <"group"> "/" <"digits">;

(* midaddress "midaddress" <- v:(
	"mid:"
	( v:( url_xalpha ( !( "@" url_alpha ) url_xalpha )* ( "@" ( !( "@" url_alpha ) url_xalpha )* &"@" )* ) { return c.node("url_xalphas", v) } )
	"@" hostname
) { return c.node("midaddress", v) } *)
"midaddress" <- "mid:" ( <"url_xalpha"> ( !( "@" <"url_alpha"> ) <"url_xalpha"> )* ( "@" ( !( "@" <"url_alpha"> ) <"url_xalpha"> )* &"@" )* ) "@" <"hostname">;

(* cidaddress "cidaddress" <- v:(
	"cid:"
	( v:( url_xalpha ( !( "@" url_alpha ) url_xalpha )* ( "@" ( !( "@" url_alpha ) url_xalpha )* &"@" )* ) { return c.node("url_xalphas", v) } )
	"@" hostname
) { return c.node("cidaddress", v) } *)
"cidaddress" <- "cid:" ( <"url_xalpha"> ( !( "@" <"url_alpha"> ) <"url_xalpha"> )* ( "@" ( !( "@" <"url_alpha"> ) <"url_xalpha"> )* &"@" )* ) "@" <"hostname">;

(* mailtoaddress "mailtoaddress" <- v:(
	"mailto:"
	( v:( url_xalpha ( !( "@" url_alpha ) url_xalpha )* ( "@" ( !( "@" url_alpha ) url_xalpha )* &"@" )* ) { return c.node("url_xalphas", v) } )
	"@" hostname
) { return c.node("mailtoaddress", v) } *)
"mailtoaddress" <- "mailto:" ( <"url_xalpha"> ( !( "@" <"url_alpha"> ) <"url_xalpha"> )* ( "@" ( !( "@" <"url_alpha"> ) <"url_xalpha"> )* &"@" )* ) "@" <"hostname">;

(* waisaddress "waisaddress" <- v:( waisdoc / waisindex ) { return c.node("waisaddress", v) } *)
"waisaddress" <- <"waisdoc"> / <"waisindex">;

(* waisindex "waisindex" <- v:( "wais://" hostport "/" database ( "?" url_search )? ) { return c.node("waisindex", v) } *)
"waisindex" <- "wais://" <"hostport"> "/" <"database"> ( "?" <"url_search"> )?;

(* waisdoc "waisdoc" <- v:( "wais://" hostport "/" database "/" wtype "/" wpath ) { return c.node("waisdoc", v) } *)
"waisdoc" <- "wais://" <"hostport"> "/" <"database"> "/" <"wtype"> "/" <"wpath">;

(* wpath "wpath" <- v:( ( digits "=" url_path ";" )+ ) { return c.node("wpath", v) } *)
"wpath" <- ( <"digits"> "=" <"url_path"> ";" )+;

(* groupart "groupart" <- v:( article / group / "*" ) { return c.node("groupart", v) } *)
"groupart" <- <"article"> / <"group"> / "*";

(* group "group" <- v:(
	( v:( url_alpha ( v:( ( !( "." url_alpha ) url_xalpha )+ ) { return c.node("url_xalphas", v) } )? ) { return c.node("url_ialpha", v) } )
	( "." ( v:( url_alpha ( v:( ( !( "." url_alpha ) url_xalpha )+ ) { return c.node("url_xalphas", v) } )? ) { return c.node("url_ialpha", v) } ) )*
) { return c.node("group", v) } *)
"group" <- ( <"url_alpha"> ( !( "." <"url_alpha"> ) <"url_xalpha"> )+? ) ( "." ( <"url_alpha"> ( !( "." <"url_alpha"> ) <"url_xalpha"> )+? ) )*;

(* article "article" <- v:(
	( v:( url_xalpha ( !( "@" ( url_alpha / hostnumber !url_xalpha ) ) url_xalpha )*
	      ( "@" ( !( "@" ( url_alpha / hostnumber !url_xalpha ) ) url_xalpha )* &"@" )* ) { return c.node("url_xalphas", v) } )
	"@" host
) { return c.node("article", v) } *)
"article" <- ( <"url_xalpha"> ( !( "@" ( <"url_alpha"> / <"hostnumber"> !<"url_xalpha"> ) ) <"url_xalpha"> )* ( "@" ( !( "@" ( <"url_alpha"> / <"hostnumber"> !<"url_xalpha"> ) ) <"url_xalpha"> )* &"@" )* ) "@" <"host">;

(* database "database" <- v:( url_xalphas ) { return c.node("database", v) } *)
"database" <- <"url_xalphas">;

(* wtype "wtype" <- v:( url_xalphas ) { return c.node("wtype", v) } *)
"wtype" <- <"url_xalphas">;

(* prosperoaddress "prosperoaddress" <- v:( prosperolink ) { return c.node("prosperoaddress", v) } *)
"prosperoaddress" <- <"prosperolink">;

(* prosperolink "prosperolink" <- v:(
	"prospero://" hostport "/"
	( v:( ( v:(
		( v:( ( v:( ( !( "%00" url_digit alphanum* !( url_xpalpha / "/" ) ) url_xpalpha )+ ) { return c.node("url_xpalphas", v) } ) ) { return c.node("segment", v) } )?
		( "/" ( v:( ( v:( ( !( "%00" url_digit alphanum* !( url_xpalpha / "/" ) ) url_xpalpha )+ ) { return c.node("url_xpalphas", v) } ) ) { return c.node("segment", v) } )? )*
	) { return c.node("url_path", v) } ) ) { return c.node("hsoname", v) } )
	( "%00" version attributes? )?
) { return c.node("prosperolink", v) } *)
"prosperolink" <- "prospero://" <"hostport"> "/" ( ( !( "%00" <"url_digit"> <"alphanum">* !( <"url_xpalpha"> / "/" ) ) <"url_xpalpha"> )+? ( "/" ( !( "%00" <"url_digit"> <"alphanum">* !( <"url_xpalpha"> / "/" ) ) <"url_xpalpha"> )+? )* ) ( "%00" <"version"> <"attributes">? )?;

(* hsoname "hsoname" <- v:( url_path ) { return c.node("hsoname", v) } *)
"hsoname" <- <"url_path">;

(* version "version" <- v:( digits ) { return c.node("version", v) } *)
"version" <- <"digits">;

(* attributes "attributes" <- v:( attribute+ ) { return c.node("attributes", v) } *)
"attributes" <- <"attribute">+;

(* attribute "attribute" <- v:( alphanums ) { return c.node("attribute", v) } *)
"attribute" <- <"alphanums">;

(* telnetaddress "telnetaddress" <- v:( "telnet://" login ) { return c.node("telnetaddress", v) } *)
"telnetaddress" <- "telnet://" <"login">;

(* gopheraddress "gopheraddress" <- v:( "gopher://" hostport ( "/" gtype gcommand? )? ) { return c.node("gopheraddress", v) } *)
"gopheraddress" <- "gopher://" <"hostport"> ( "/" <"gtype"> <"gcommand">? )?;

(* login "login" <- v:(
	( user ( ":" password )? "@" &( url_alpha / hostnumber !url_xalpha ) )? hostport
) { return c.node("login", v) } *)
"login" <- ( <"user"> ( ":" <"password"> )? "@" &( <"url_alpha"> / <"hostnumber"> !<"url_xalpha"> ) )? <"hostport">;

(* hostport "hostport" <- v:( host ( ":" port )? ) { return c.node("hostport", v) } *)
"hostport" <- <"host"> ( ":" <"port"> )?;

(* host "host" <- v:( hostname / hostnumber ) { return c.node("host", v) } *)
"host" <- <"hostname"> / <"hostnumber">;

(* ftptype "ftptype" <- v:( "A" formcode / "E" formcode / "I" / "L" digits ) { return c.node("ftptype", v) } *)
"ftptype" <- "A" <"formcode"> / "E" <"formcode"> / "I" / "L" <"digits">;

(* formcode "formcode" <- v:( [NTC] ) { return c.node("formcode", v) } *)
"formcode" <- { "CNT" };

(* cellname "cellname" <- v:( hostname ) { return c.node("cellname", v) } *)
"cellname" <- <"hostname">;

(* hostname "hostname" <- v:(
	( v:( url_alpha ( v:( ( !( "." url_alpha ) url_xalpha )+ ) { return c.node("url_xalphas", v) } )? ) { return c.node("url_ialpha", v) } )
	( "." ( v:( url_alpha ( v:( ( !( "." url_alpha ) url_xalpha )+ ) { return c.node("url_xalphas", v) } )? ) { return c.node("url_ialpha", v) } ) )*
) { return c.node("hostname", v) } *)
"hostname" <- ( <"url_alpha"> ( !( "." <"url_alpha"> ) <"url_xalpha"> )+? ) ( "." ( <"url_alpha"> ( !( "." <"url_alpha"> ) <"url_xalpha"> )+? ) )*;

(* hostnumber "hostnumber" <- v:( digits "." digits "." digits "." digits ) { return c.node("hostnumber", v) } *)
"hostnumber" <- <"digits"> "." <"digits"> "." <"digits"> "." <"digits">;

(* port "port" <- v:( digits ) { return c.node("port", v) } *)
"port" <- <"digits">;

(* gcommand "gcommand" <- v:( url_path ) { return c.node("gcommand", v) } *)
"gcommand" <- <"url_path">;

(* url_path "path" <- v:( segment? ( "/" segment? )* ) { return c.node("url_path", v) } *)
"url_path" <- <"segment">? ( "/" <"segment">? )*;

(* segment "segment" <- v:( url_xpalphas ) { return c.node("segment", v) } *)
"segment" <- <"url_xpalphas">;

(* url_search "search" <- v:(
	( v:( url_xalpha ( !( "+" url_xalpha ) url_xalpha )* ) { return c.node("url_xalphas", v) } )
	( "+" ( v:( url_xalpha ( !( "+" url_xalpha ) url_xalpha )* ) { return c.node("url_xalphas", v) } ) )*
) { return c.node("url_search", v) } *)
"url_search" <- ( <"url_xalpha"> ( !( "+" <"url_xalpha"> ) <"url_xalpha"> )* ) ( "+" ( <"url_xalpha"> ( !( "+" <"url_xalpha"> ) <"url_xalpha"> )* ) )*;

(* user "user" <- v:( alphanum2+ ) { return c.node("user", v) } *)
"user" <- <"alphanum2">+;

(* password "password" <- v:( alphanum2+ ) { return c.node("password", v) } *)
"password" <- <"alphanum2">+;

(* url_fragmentid "fragmentid" <- v:( url_xalphas ) { return c.node("url_fragmentid", v) } *)
"url_fragmentid" <- <"url_xalphas">;

(* gtype "gtype" <- v:( url_xalpha ) { return c.node("gtype", v) } *)
"gtype" <- <"url_xalpha">;

(* alphanum2 "alphanum2" <- url_alpha / url_digit / [-_.+] *)
"alphanum2" <- <"url_alpha"> / <"url_digit"> / { "+-._" };

(* url_xalpha "xalpha" <- url_alpha / url_digit / url_safe / url_extra / url_escape *)
"url_xalpha" <- <"url_alpha"> / <"url_digit"> / <"url_safe"> / <"url_extra"> / <"url_escape">;

(* url_xalphas "xalphas" <- v:( url_xalpha+ ) { return c.node("url_xalphas", v) } *)
"url_xalphas" <- <"url_xalpha">+;

(* url_xpalpha "xpalpha" <- url_xalpha / "+" *)
"url_xpalpha" <- <"url_xalpha"> / "+";

(* url_xpalphas "xpalphas" <- v:( url_xpalpha+ ) { return c.node("url_xpalphas", v) } *)
"url_xpalphas" <- <"url_xpalpha">+;

(* url_ialpha "ialpha" <- v:( url_alpha url_xalphas? ) { return c.node("url_ialpha", v) } *)
"url_ialpha" <- <"url_alpha"> <"url_xalphas">?;

(* url_alpha "alpha" <- [a-zA-Z] *)
"url_alpha" <- { "A"-"Z" } / { "a"-"z" };

(* url_digit "digit" <- [0-9] *)
"url_digit" <- { "0"-"9" };

(* url_safe "safe" <- [$_@.&+-] *)
"url_safe" <- { "$&+-.@_" };

(* url_extra "extra" <- [!*"'(),] " *)
"url_extra" <- { "'"-"*" } / { "!""," };

(* url_reserved "reserved" <- [=;/#?: ] *)
"url_reserved" <- { " #/:;=?" };

(* url_escape "escape" <- "%" url_hex url_hex *)
"url_escape" <- "%" <"url_hex"> <"url_hex">;

(* url_hex "hex" <- url_digit / [a-fA-F] *)
"url_hex" <- <"url_digit"> / ( { "A"-"F" } / { "a"-"f" } );

(* url_national "national" <- [{}|[\]\\^~] *)
"url_national" <- { "["-"^" } / { "{"-"~" };

(* url_punctuation "punctuation" <- [<>] *)
"url_punctuation" <- { "<>" };

(* digits "digits" <- v:( url_digit+ ) { return c.node("digits", v) } *)
"digits" <- <"url_digit">+;

(* alphanum "alphanum" <- url_alpha / url_digit *)
"alphanum" <- <"url_alpha"> / <"url_digit">;

(* alphanums "alphanums" <- v:( alphanum+ ) { return c.node("alphanums", v) } *)
"alphanums" <- <"alphanum">+;

(* url_void "void" <- "" *)
"url_void" <- "";

(* uri_fragmentaddress_entry <- uri_fragmentaddress !. *)
"uri_fragmentaddress_entry" <- <"uri_fragmentaddress"> !any;

(* uri_entry                 <- uri !. *)
"uri_entry" <- <"uri"> !any;

(* uri_scheme_entry          <- uri_scheme !. *)
"uri_scheme_entry" <- <"uri_scheme"> !any;

(* uri_path_entry            <- uri_path !. *)
"uri_path_entry" <- <"uri_path"> !any;

(* uri_search_entry          <- uri_search !. *)
"uri_search_entry" <- <"uri_search"> !any;

(* uri_fragmentid_entry      <- uri_fragmentid !. *)
"uri_fragmentid_entry" <- <"uri_fragmentid"> !any;

(* uri_xalpha_entry          <- uri_xalpha !. *)
"uri_xalpha_entry" <- <"uri_xalpha"> !any;

(* uri_xalphas_entry         <- uri_xalphas !. *)
"uri_xalphas_entry" <- <"uri_xalphas"> !any;

(* uri_xpalpha_entry         <- uri_xpalpha !. *)
"uri_xpalpha_entry" <- <"uri_xpalpha"> !any;

(* uri_xpalphas_entry        <- uri_xpalphas !. *)
"uri_xpalphas_entry" <- <"uri_xpalphas"> !any;

(* uri_ialpha_entry          <- uri_ialpha !. *)
"uri_ialpha_entry" <- <"uri_ialpha"> !any;

(* uri_alpha_entry           <- uri_alpha !. *)
"uri_alpha_entry" <- <"uri_alpha"> !any;

(* uri_digit_entry           <- uri_digit !. *)
"uri_digit_entry" <- <"uri_digit"> !any;

(* uri_safe_entry            <- uri_safe !. *)
"uri_safe_entry" <- <"uri_safe"> !any;

(* uri_extra_entry           <- uri_extra !. *)
"uri_extra_entry" <- <"uri_extra"> !any;

(* uri_reserved_entry        <- uri_reserved !. *)
"uri_reserved_entry" <- <"uri_reserved"> !any;

(* uri_escape_entry          <- uri_escape !. *)
"uri_escape_entry" <- <"uri_escape"> !any;

(* uri_hex_entry             <- uri_hex !. *)
"uri_hex_entry" <- <"uri_hex"> !any;

(* uri_national_entry        <- uri_national !. *)
"uri_national_entry" <- <"uri_national"> !any;

(* uri_punctuation_entry     <- uri_punctuation !. *)
"uri_punctuation_entry" <- <"uri_punctuation"> !any;

(* uri_void_entry            <- uri_void !. *)
"uri_void_entry" <- <"uri_void"> !any;

(* prefixedurl_entry         <- prefixedurl !. *)
"prefixedurl_entry" <- <"prefixedurl"> !any;

(* url_entry                 <- url !. *)
"url_entry" <- <"url"> !any;

(* url_scheme_entry          <- url_scheme !. *)
"url_scheme_entry" <- <"url_scheme"> !any;

(* httpaddress_entry         <- httpaddress !. *)
"httpaddress_entry" <- <"httpaddress"> !any;

(* ftpaddress_entry          <- ftpaddress !. *)
"ftpaddress_entry" <- <"ftpaddress"> !any;

(* afsaddress_entry          <- afsaddress !. *)
"afsaddress_entry" <- <"afsaddress"> !any;

(* newsaddress_entry         <- newsaddress !. *)
"newsaddress_entry" <- <"newsaddress"> !any;

(* nntpaddress_entry         <- nntpaddress !. *)
"nntpaddress_entry" <- <"nntpaddress"> !any;

(* midaddress_entry          <- midaddress !. *)
"midaddress_entry" <- <"midaddress"> !any;

(* cidaddress_entry          <- cidaddress !. *)
"cidaddress_entry" <- <"cidaddress"> !any;

(* mailtoaddress_entry       <- mailtoaddress !. *)
"mailtoaddress_entry" <- <"mailtoaddress"> !any;

(* waisaddress_entry         <- waisaddress !. *)
"waisaddress_entry" <- <"waisaddress"> !any;

(* waisindex_entry           <- waisindex !. *)
"waisindex_entry" <- <"waisindex"> !any;

(* waisdoc_entry             <- waisdoc !. *)
"waisdoc_entry" <- <"waisdoc"> !any;

(* wpath_entry               <- wpath !. *)
"wpath_entry" <- <"wpath"> !any;

(* groupart_entry            <- groupart !. *)
"groupart_entry" <- <"groupart"> !any;

(* group_entry               <- group !. *)
"group_entry" <- <"group"> !any;

(* article_entry             <- article !. *)
"article_entry" <- <"article"> !any;

(* database_entry            <- database !. *)
"database_entry" <- <"database"> !any;

(* wtype_entry               <- wtype !. *)
"wtype_entry" <- <"wtype"> !any;

(* prosperoaddress_entry     <- prosperoaddress !. *)
"prosperoaddress_entry" <- <"prosperoaddress"> !any;

(* prosperolink_entry        <- prosperolink !. *)
"prosperolink_entry" <- <"prosperolink"> !any;

(* hsoname_entry             <- hsoname !. *)
"hsoname_entry" <- <"hsoname"> !any;

(* version_entry             <- version !. *)
"version_entry" <- <"version"> !any;

(* attributes_entry          <- attributes !. *)
"attributes_entry" <- <"attributes"> !any;

(* attribute_entry           <- attribute !. *)
"attribute_entry" <- <"attribute"> !any;

(* telnetaddress_entry       <- telnetaddress !. *)
"telnetaddress_entry" <- <"telnetaddress"> !any;

(* gopheraddress_entry       <- gopheraddress !. *)
"gopheraddress_entry" <- <"gopheraddress"> !any;

(* login_entry               <- login !. *)
"login_entry" <- <"login"> !any;

(* hostport_entry            <- hostport !. *)
"hostport_entry" <- <"hostport"> !any;

(* host_entry                <- host !. *)
"host_entry" <- <"host"> !any;

(* ftptype_entry             <- ftptype !. *)
"ftptype_entry" <- <"ftptype"> !any;

(* formcode_entry            <- formcode !. *)
"formcode_entry" <- <"formcode"> !any;

(* cellname_entry            <- cellname !. *)
"cellname_entry" <- <"cellname"> !any;

(* hostname_entry            <- hostname !. *)
"hostname_entry" <- <"hostname"> !any;

(* hostnumber_entry          <- hostnumber !. *)
"hostnumber_entry" <- <"hostnumber"> !any;

(* port_entry                <- port !. *)
"port_entry" <- <"port"> !any;

(* gcommand_entry            <- gcommand !. *)
"gcommand_entry" <- <"gcommand"> !any;

(* url_path_entry            <- url_path !. *)
"url_path_entry" <- <"url_path"> !any;

(* segment_entry             <- segment !. *)
"segment_entry" <- <"segment"> !any;

(* url_search_entry          <- url_search !. *)
"url_search_entry" <- <"url_search"> !any;

(* user_entry                <- user !. *)
"user_entry" <- <"user"> !any;

(* password_entry            <- password !. *)
"password_entry" <- <"password"> !any;

(* url_fragmentid_entry      <- url_fragmentid !. *)
"url_fragmentid_entry" <- <"url_fragmentid"> !any;

(* gtype_entry               <- gtype !. *)
"gtype_entry" <- <"gtype"> !any;

(* alphanum2_entry           <- alphanum2 !. *)
"alphanum2_entry" <- <"alphanum2"> !any;

(* url_xalpha_entry          <- url_xalpha !. *)
"url_xalpha_entry" <- <"url_xalpha"> !any;

(* url_xalphas_entry         <- url_xalphas !. *)
"url_xalphas_entry" <- <"url_xalphas"> !any;

(* url_xpalpha_entry         <- url_xpalpha !. *)
"url_xpalpha_entry" <- <"url_xpalpha"> !any;

(* url_xpalphas_entry        <- url_xpalphas !. *)
"url_xpalphas_entry" <- <"url_xpalphas"> !any;

(* url_ialpha_entry          <- url_ialpha !. *)
"url_ialpha_entry" <- <"url_ialpha"> !any;

(* url_alpha_entry           <- url_alpha !. *)
"url_alpha_entry" <- <"url_alpha"> !any;

(* url_digit_entry           <- url_digit !. *)
"url_digit_entry" <- <"url_digit"> !any;

(* url_safe_entry            <- url_safe !. *)
"url_safe_entry" <- <"url_safe"> !any;

(* url_extra_entry           <- url_extra !. *)
"url_extra_entry" <- <"url_extra"> !any;

(* url_reserved_entry        <- url_reserved !. *)
"url_reserved_entry" <- <"url_reserved"> !any;

(* url_escape_entry          <- url_escape !. *)
"url_escape_entry" <- <"url_escape"> !any;

(* url_hex_entry             <- url_hex !. *)
"url_hex_entry" <- <"url_hex"> !any;

(* url_national_entry        <- url_national !. *)
"url_national_entry" <- <"url_national"> !any;

(* url_punctuation_entry     <- url_punctuation !. *)
"url_punctuation_entry" <- <"url_punctuation"> !any;

(* digits_entry              <- digits !. *)
"digits_entry" <- <"digits"> !any;

(* alphanum_entry            <- alphanum !. *)
"alphanum_entry" <- <"alphanum"> !any;

(* alphanums_entry           <- alphanums !. *)
"alphanums_entry" <- <"alphanums"> !any;

(* url_void_entry            <- url_void !. *)
"url_void_entry" <- <"url_void"> !any;

(* EOF <- !. *)
"EOF" <- !any
].

(** The productions and their rules. *)
Definition pairs : list (string * string) := [
  ("uri_fragmentaddress", "uri_fragmentaddress");
  ("uri", "uri");
  ("uri_scheme", "uri_scheme");
  ("uri_path", "uri_path");
  ("uri_search", "uri_search");
  ("uri_fragmentid", "uri_fragmentid");
  ("uri_xalpha", "uri_xalpha");
  ("uri_xalphas", "uri_xalphas");
  ("uri_xpalpha", "uri_xpalpha");
  ("uri_xpalphas", "uri_xpalphas");
  ("uri_ialpha", "uri_ialpha");
  ("uri_alpha", "uri_alpha");
  ("uri_digit", "uri_digit");
  ("uri_safe", "uri_safe");
  ("uri_extra", "uri_extra");
  ("uri_reserved", "uri_reserved");
  ("uri_escape", "uri_escape");
  ("uri_hex", "uri_hex");
  ("uri_national", "uri_national");
  ("uri_punctuation", "uri_punctuation");
  ("uri_void", "uri_void");
  ("prefixedurl", "prefixedurl");
  ("url", "url");
  ("url_scheme", "url_scheme");
  ("httpaddress", "httpaddress");
  ("ftpaddress", "ftpaddress");
  ("afsaddress", "afsaddress");
  ("newsaddress", "newsaddress");
  ("nntpaddress", "nntpaddress");
  ("midaddress", "midaddress");
  ("cidaddress", "cidaddress");
  ("mailtoaddress", "mailtoaddress");
  ("waisaddress", "waisaddress");
  ("waisindex", "waisindex");
  ("waisdoc", "waisdoc");
  ("wpath", "wpath");
  ("groupart", "groupart");
  ("group", "group");
  ("article", "article");
  ("database", "database");
  ("wtype", "wtype");
  ("prosperoaddress", "prosperoaddress");
  ("prosperolink", "prosperolink");
  ("hsoname", "hsoname");
  ("version", "version");
  ("attributes", "attributes");
  ("attribute", "attribute");
  ("telnetaddress", "telnetaddress");
  ("gopheraddress", "gopheraddress");
  ("login", "login");
  ("hostport", "hostport");
  ("host", "host");
  ("ftptype", "ftptype");
  ("formcode", "formcode");
  ("cellname", "cellname");
  ("hostname", "hostname");
  ("hostnumber", "hostnumber");
  ("port", "port");
  ("gcommand", "gcommand");
  ("url_path", "url_path");
  ("segment", "segment");
  ("url_search", "url_search");
  ("user", "user");
  ("password", "password");
  ("url_fragmentid", "url_fragmentid");
  ("gtype", "gtype");
  ("alphanum2", "alphanum2");
  ("url_xalpha", "url_xalpha");
  ("url_xalphas", "url_xalphas");
  ("url_xpalpha", "url_xpalpha");
  ("url_xpalphas", "url_xpalphas");
  ("url_ialpha", "url_ialpha");
  ("url_alpha", "url_alpha");
  ("url_digit", "url_digit");
  ("url_safe", "url_safe");
  ("url_extra", "url_extra");
  ("url_reserved", "url_reserved");
  ("url_escape", "url_escape");
  ("url_hex", "url_hex");
  ("url_national", "url_national");
  ("url_punctuation", "url_punctuation");
  ("digits", "digits");
  ("alphanum", "alphanum");
  ("alphanums", "alphanums");
  ("url_void", "url_void")
]%string.

(** Those that differ, each with a word that only one of the two has. *)
Definition different : list (string * string * word) := []%string.

(** The productions that the table has. *)
Definition tabled : list string := ["uri_fragmentaddress"; "uri"; "uri_scheme"; "uri_path"; "uri_search"; "uri_fragmentid"; "uri_xalpha"; "uri_xalphas"; "uri_xpalpha"; "uri_xpalphas"; "uri_ialpha"; "uri_alpha"; "uri_digit"; "uri_safe"; "uri_extra"; "uri_reserved"; "uri_escape"; "uri_hex"; "uri_national"; "uri_punctuation"; "uri_void"; "prefixedurl"; "url"; "url_scheme"; "httpaddress"; "ftpaddress"; "afsaddress"; "newsaddress"; "nntpaddress"; "midaddress"; "cidaddress"; "mailtoaddress"; "waisaddress"; "waisindex"; "waisdoc"; "wpath"; "groupart"; "group"; "article"; "database"; "wtype"; "prosperoaddress"; "prosperolink"; "hsoname"; "version"; "attributes"; "attribute"; "telnetaddress"; "gopheraddress"; "login"; "hostport"; "host"; "ftptype"; "formcode"; "cellname"; "hostname"; "hostnumber"; "port"; "gcommand"; "url_path"; "segment"; "url_search"; "user"; "password"; "url_fragmentid"; "gtype"; "alphanum2"; "url_xalpha"; "url_xalphas"; "url_xpalpha"; "url_xpalphas"; "url_ialpha"; "url_alpha"; "url_digit"; "url_safe"; "url_extra"; "url_reserved"; "url_escape"; "url_hex"; "url_national"; "url_punctuation"; "digits"; "alphanum"; "alphanums"; "url_void"]%string.
