-- What a person does in Neovim: opens a grammar, sees what is wrong, types, jumps, renames and formats. Each result is
-- a line "NAME: JSON" in the file that the environment variable OUT names.
local out = io.open(os.getenv("OUT"), "w")
local function say(name, value)
  out:write(name .. ": " .. vim.fn.json_encode(value) .. "\n")
  out:flush()
end

local function main()
  vim.cmd("edit " .. vim.fn.fnameescape(os.getenv("FILE")))
  local client = vim.lsp.start_client({
    name = "bnfcheck", cmd = { os.getenv("SERVER") }, cmd_env = { BNFCHECK_EDITOR_SERVES = "1" },
    root_dir = vim.fn.fnamemodify(os.getenv("FILE"), ":h"),
  })
  vim.lsp.buf_attach_client(0, client)

  -- await returns the codes of the diagnostics once they are these.
  local function await(codes)
    local function now()
      local list = {}
      for _, d in ipairs(vim.diagnostic.get(0)) do
        table.insert(list, (d.lnum + 1) .. " " .. tostring(d.code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code)))
      end
      table.sort(list)
      return table.concat(list, ", ")
    end
    vim.wait(30000, function() return now() == codes end, 20)
    return now()
  end
  say("opened", await("2 undefined, 3 unused"))

  -- The missing production is typed, key by key, as a line at the end.
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('Odomain = 1*ALPHA *( "." 1*ALPHA )<Esc>', true, false, true), "tx", false)
  say("typed", await("4 unused"))

  vim.api.nvim_win_set_cursor(0, { 2, 19 })
  vim.lsp.buf.definition()
  vim.wait(10000, function() return vim.api.nvim_win_get_cursor(0)[1] == 3 end, 20)
  say("jumped", vim.api.nvim_win_get_cursor(0))

  local params = vim.lsp.util.make_position_params()
  local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", params, 10000)
  for _, answer in pairs(hover or {}) do
    say("hover", answer.result.contents.value:match("Accepts[^.]*"))
  end

  vim.lsp.buf.rename("host")
  vim.wait(10000, function() return vim.fn.getline(3):match("^host") ~= nil end, 20)
  say("renamed", vim.fn.getline(1, "$"))

  vim.lsp.buf.formatting_sync(nil, 10000)
  say("formatted", vim.fn.getline(1, "$"))
end

local ok, problem = pcall(main)
if not ok then
  say("problem", problem)
end
out:close()
vim.cmd("qall!")
