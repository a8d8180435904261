-- Does in Neovim what a user does, step by step, and writes what is seen to a file, as JSON. The steps come in `$STEPS`.

local steps = vim.fn.json_decode(vim.env.STEPS)
local seen = {}

local function wait(what, is_done)
  if not vim.wait(30000, is_done, 10) then
    error("no " .. what)
  end
end

local function findings()
  local found = {}
  for _, it in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { it.lnum, it.col, it.end_lnum, it.end_col, it.code or it.user_data.lsp.code, it.severity, it.message })
  end
  return found
end

-- Puts the cursor on the first occurrence of a string, so many bytes further.
local function go_to(wanted, inside)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local start = line:find(wanted, 1, true)
    if start then
      vim.api.nvim_win_set_cursor(0, { number, start - 1 + inside })
      return
    end
  end
  error("not found: " .. wanted)
end

local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return vim.api.nvim_win_get_buf(window)
    end
  end
end

local actions = {}

function actions.findings()
  wait("findings", function() return #vim.diagnostic.get(0) > 0 end)
  return findings()
end

-- Types over a string, character by character.
function actions.type(step)
  go_to(step.over, 0)
  local before = vim.inspect(findings())
  local keys = vim.api.nvim_replace_termcodes(#step.over .. "s" .. step.text .. "<Esc>", true, false, true)
  vim.api.nvim_feedkeys(keys, "tx", false)
  wait("other findings", function() return vim.inspect(findings()) ~= before end)
  vim.cmd("write")
  return findings()
end

function actions.hover(step)
  go_to(step.at, step.inside)
  vim.lsp.buf.hover()
  wait("hover", float)
  return table.concat(vim.api.nvim_buf_get_lines(float(), 0, -1, true), "\n")
end

function actions.rename(step)
  go_to(step.at, step.inside)
  vim.lsp.buf.rename(step.to)
  wait("renamed variable", function() return vim.fn.search(step.to, "nw") > 0 end)
  vim.cmd("wall")
  return true
end

local is_done, reason = pcall(function()
  wait("server", function() return #vim.lsp.buf_get_clients(0) > 0 end)
  for _, step in ipairs(steps) do
    table.insert(seen, actions[step.action](step))
  end
end)
if not is_done then
  seen = { error = reason }
end
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.SEEN)
vim.cmd("qall!")
