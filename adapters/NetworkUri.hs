-- Haskell's network-uri (Debian: ghc, libghc-network-uri-dev). Build: ghc -o network-uri NetworkUri.hs   Run: ./network-uri
-- The protocol is in docs/adapter-protocol.md, whose requests have a fixed form, so that no JSON library is needed.
module Main (main) where

import Data.Char (chr, ord)
import Data.List (intercalate)
import Network.URI
import Numeric (readHex, showHex)
import System.IO

unescape :: String -> String
unescape ('\\' : 'u' : a : b : c : d : rest) = chr (fst (head (readHex [a, b, c, d]))) : unescape rest
unescape ('\\' : c : rest) = c : unescape rest
unescape ('"' : _) = "" -- the end
unescape (c : rest) = c : unescape rest
unescape "" = ""

quote :: String -> String
quote s = "\"" ++ concatMap escape s ++ "\""
  where
    escape c
      | c == '"' || c == '\\' = ['\\', c]
      | c < ' ' = let h = showHex (ord c) "" in "\\u" ++ replicate (4 - length h) '0' ++ h
      | otherwise = [c]

-- The parts keep their delimiters, so that an empty one is told from none.
behind, before :: String -> String
behind s = if null s then "null" else quote (tail s)
before s = if null s then "null" else quote (init s)

host :: String -> String
host ('[' : rest) = quote (init rest)
host s = quote s

answer :: String -> String
answer text = case parseURIReference text of
  Nothing -> "\"accepted\":false,\"error\":\"parseURIReference returns Nothing\""
  Just u -> "\"accepted\":true,\"components\":{" ++ intercalate "," [quote k ++ ":" ++ v | (k, v) <- parts u] ++ "}"
  where
    parts u =
      [("scheme", before (uriScheme u)), ("path", quote (uriPath u)), ("query", behind (uriQuery u)),
       ("fragment", behind (uriFragment u)),
       ("userinfo", maybe "null" (before . uriUserInfo) (uriAuthority u)),
       ("host", maybe "null" (host . uriRegName) (uriAuthority u)),
       ("port", maybe "null" (behind . uriPort) (uriAuthority u))]

main :: IO ()
main = do
  mapM_ (`hSetEncoding` utf8) [stdin, stdout]
  mapM_ (`hSetNewlineMode` noNewlineTranslation) [stdin, stdout]
  hSetBuffering stdout LineBuffering
  getContents >>= mapM_ reply . lines
  where
    reply line = putStrLn (begin ++ "," ++ said rest ++ "}") where (begin, rest) = break (== ',') line
    said rest = case splitAt 10 rest of
      (",\"input\":\"", text) -> answer (unescape text)
      _ -> "\"accepted\":null,\"error\":\"bytes that are not UTF-8 are not a string here\""
