#!/usr/bin/env escript
%% Erlang's uri_string:parse (Debian: erlang-base). Run: escript erlang-uri-string.escript
%% The protocol is in docs/adapter-protocol.md, whose requests have a fixed form, so that no JSON library is needed.

main(_) ->
    ok = io:setopts(standard_io, [binary, {encoding, latin1}]),
    loop().

loop() ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            {match, [Id, Member, Text]} =
                re:run(Line, "^{\"id\":([0-9]+),\"(input|base64)\":\"(.*)\"}\n$", [{capture, all_but_first, binary}, dotall]),
            io:put_chars(["{\"id\":", Id, answer(Member, Text), "}\n"]),
            loop()
    end.

answer(<<"base64">>, _) -> ",\"accepted\":null,\"error\":\"bytes that are not UTF-8 are not a string here\"";
answer(<<"input">>, Text) ->
    case uri_string:parse(unescape(Text)) of
        {error, Why, What} -> [",\"accepted\":false,\"error\":", quote(iolist_to_binary(io_lib:format("~p ~p", [Why, What])))];
        U ->
            Parts = [[",", quote(atom_to_binary(K)), ":", value(maps:get(K, U, none))]
                     || K <- [scheme, userinfo, host, port, path, query, fragment]],
            [_ | Rest] = lists:append(Parts),
            [",\"accepted\":true,\"components\":{", Rest, "}"]
    end.

value(none) -> "null";
value(undefined) -> "\"\""; % a port that is empty
value(N) when is_integer(N) -> quote(integer_to_binary(N));
value(S) -> quote(S).

unescape(<<"\\u00", X:2/binary, Rest/binary>>) -> <<(binary_to_integer(X, 16)), (unescape(Rest))/binary>>;
unescape(<<"\\", C, Rest/binary>>) -> <<C, (unescape(Rest))/binary>>;
unescape(<<C, Rest/binary>>) -> <<C, (unescape(Rest))/binary>>;
unescape(<<>>) -> <<>>.

quote(S) -> ["\"", [escape(C) || <<C>> <= S], "\""].

escape($") -> "\\\"";
escape($\\) -> "\\\\";
escape(C) when C < 32 -> io_lib:format("\\u~4.16.0b", [C]);
escape(C) -> C.
