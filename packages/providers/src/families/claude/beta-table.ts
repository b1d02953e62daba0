import type { BetaRow } from './betas.ts'

type Supports = readonly [bedrock: BetaRow['bedrock'], vertex: BetaRow['vertex'], foundry: BetaRow['foundry']]

const everywhere: Supports = ['beta', 'beta', 'beta']
const nameEverywhere: Supports = ['header', 'header', 'header']
const nowhere: Supports = ['none', 'none', 'none']
const foundryOnly: Supports = ['none', 'none', 'optional']

const effortAtClouds = { from: 406, is: 'optional', otherwise: 'beta' } as const

function row(
  name: string,
  dates: readonly string[],
  [bedrock, vertex, foundry]: Supports,
  source: BetaRow['source'],
  members: Pick<BetaRow, 'drops' | 'refuses'> = {},
): BetaRow {
  return { name, dates, bedrock, vertex, foundry, source, ...members }
}

/** One row per beta and feature. A member that several rows name stays where one of them lets it. */
export const betaTable: readonly BetaRow[] = [
  // Caching
  row('prompt-caching-scope', ['2026-01-05'], ['none', 'none', 'beta'], 'scope', {
    drops: ['cache_control.scope'],
  }),
  row(
    'extended-cache-ttl',
    ['2025-04-11'],
    [{ from: 405, is: 'free', otherwise: 'none' }, 'free', 'optional'],
    'ttl',
    { drops: ['cache_control.ttl'] },
  ),
  row('automatic-prompt-caching', [], foundryOnly, 'topCache', { drops: ['body.cache_control'] }),
  row('cache-diagnosis', ['2026-04-07'], nowhere, 'overview', { drops: ['body.diagnostics'] }),
  row('prompt-caching', ['2024-07-31'], ['none', 'none', 'header'], 'flags'),

  // Tools
  row('fine-grained-tool-streaming', ['2025-05-14'], ['header', 'header', 'free'], 'eager', {
    drops: ['tool.eager_input_streaming'],
  }),
  row('advanced-tool-use', ['2025-11-20'], foundryOnly, 'headers', {
    drops: ['tool.defer_loading', 'tool.input_examples', 'tool.allowed_callers', 'block:tool_reference'],
  }),
  row('tool-search-tool', ['2025-10-19'], ['beta', 'beta', 'free'], 'headers', {
    drops: ['tool.defer_loading', 'block:tool_reference'],
  }),
  row('tool-examples', ['2025-10-29'], ['beta', 'beta', 'free'], 'bedrock', {
    drops: ['tool.input_examples'],
  }),
  row(
    'structured-outputs',
    ['2025-11-13', '2025-12-15'],
    [{ from: 405, to: 406, is: 'free', otherwise: 'none' }, 'none', 'optional'],
    'bedrockMessages',
    { drops: ['tool.strict'] },
  ),
  row('code-execution', ['2025-05-22', '2025-08-25'], foundryOnly, 'overview', {
    refuses: [
      'body.container',
      'tool:code_execution',
      'block:container_upload',
      'block:code_execution_tool_result',
      'block:bash_code_execution_tool_result',
      'block:text_editor_code_execution_tool_result',
      'block:server_tool_use:code_execution',
      'block:server_tool_use:bash_code_execution',
      'block:server_tool_use:text_editor_code_execution',
    ],
  }),
  row('skills', ['2025-10-02'], foundryOnly, 'overview', { refuses: ['body.container'] }),
  row('web-search', ['2025-03-05'], ['none', 'optional', 'optional'], 'overview', {
    refuses: ['tool:web_search', 'block:web_search_tool_result', 'block:server_tool_use:web_search'],
  }),
  row('web-fetch', ['2025-09-10'], foundryOnly, 'overview', {
    refuses: ['tool:web_fetch', 'block:web_fetch_tool_result', 'block:server_tool_use:web_fetch'],
  }),
  row('advisor-tool', ['2026-03-01'], nowhere, 'foundry', {
    refuses: ['tool:advisor', 'block:advisor_tool_result', 'block:server_tool_use:advisor'],
  }),
  row('mcp-client', ['2025-04-04', '2025-11-20', '2026-09-15'], ['none', 'none', 'beta'], 'overview', {
    refuses: [
      'body.mcp_servers',
      'tool:mcp_toolset',
      'block:mcp_tool_use',
      'block:mcp_tool_result',
      'block:mcp_tool_listing',
    ],
  }),
  row('mcp-servers', ['2025-12-04'], nowhere, 'headers'),
  row('toolsets', [], nowhere, 'foundry', {
    refuses: ['tool:computer_toolset', 'tool:browser_toolset', 'block:browser_state'],
  }),
  row('mid-conversation-tool-changes', ['2026-07-01'], ['beta', 'none', 'none'], 'headers', {
    refuses: ['block:tool_addition', 'block:tool_removal'],
  }),
  row('computer-use', ['2024-10-22', '2025-01-24', '2025-11-24'], nameEverywhere, 'overview'),
  row('token-efficient-tools', ['2025-02-19'], ['header', 'header', 'none'], 'bedrock'),
  row('token-efficient-tools', ['2026-03-28'], nowhere, 'flags'),
  row('dangerous-tool-use', ['2026-09-03'], nameEverywhere, 'headers'),
  row('inline-tools', ['2026-09-15'], nowhere, 'sdk'),

  // Context
  row('context-management', ['2025-06-27'], everywhere, 'overview', {
    drops: ['body.context_management', 'edit:clear_tool_uses', 'edit:clear_thinking'],
  }),
  row('compact', ['2026-01-12'], everywhere, 'overview', {
    drops: ['body.context_management', 'edit:compact'],
    refuses: ['block:compaction'],
  }),
  row('compact', ['2026-09-04'], ['none', 'beta', 'none'], 'headers', {
    drops: ['body.compaction'],
    refuses: ['block:compaction'],
  }),
  row('context-1m', ['2025-08-07'], nameEverywhere, 'overview'),
  row('message-threads', ['2026-08-12'], nowhere, 'sdk', { refuses: ['body.thread'] }),
  row('mid-conversation-system', ['2026-04-01', '2026-04-07'], foundryOnly, 'sdk', {
    drops: ['message.role'],
  }),
  row('mid-conversation-system-clear-at', ['2026-08-21'], nowhere, 'sdk', { drops: ['message.clear_at'] }),
  row('per-turn-control', ['2026-07-01'], ['none', 'beta', 'beta'], 'headers', {
    drops: ['message.output_config'],
  }),
  row('mid-conversation-output-config', ['2026-07-01'], ['beta', 'none', 'none'], 'headers', {
    drops: ['message.output_config'],
  }),

  // Reasoning and output
  row('effort', ['2025-11-24'], [effortAtClouds, effortAtClouds, 'optional'], 'effort', {
    drops: ['output_config.effort'],
  }),
  row('task-budgets', ['2026-03-13'], nowhere, 'overview', { drops: ['output_config.task_budget'] }),
  row('interleaved-thinking', ['2025-05-14'], nameEverywhere, 'bedrock'),
  row('dev-full-thinking', ['2025-05-14'], ['header', 'header', 'none'], 'bedrock'),
  row('redact-thinking', ['2026-02-12'], ['none', 'none', 'header'], 'flags'),
  row('thinking-binding-controls', ['2026-08-01'], ['beta', 'beta', 'none'], 'headers', {
    drops: ['thinking.block_binding'],
  }),
  row('thinking-display-updates', ['2026-08-18'], everywhere, 'headers', { drops: ['thinking.display'] }),
  row('thinking-token-count', ['2026-05-13'], nowhere, 'sdk'),
  row('output-128k', ['2025-02-19'], ['header', 'header', 'none'], 'bedrock'),
  row('output-300k', ['2026-03-24'], nowhere, 'sdk'),
  row('fast-mode', ['2026-02-01'], nowhere, 'overview', { drops: ['body.speed'] }),
  row('server-side-fallback', ['2026-06-01', '2026-07-01'], nowhere, 'foundry', {
    drops: ['body.fallbacks', 'block:fallback'],
  }),
  row('fallback-credit', ['2026-06-01', '2026-06-09', '2026-07-01'], everywhere, 'overview', {
    drops: ['body.fallback_credit_token'],
  }),

  // Files, and whose call it is
  row('files-api', ['2025-04-14'], ['none', 'none', 'beta'], 'overview', {
    refuses: ['source:file', 'block:container_upload'],
  }),
  row('data-residency', [], nowhere, 'overview', { drops: ['body.inference_geo'] }),
  row('workspaces', [], nowhere, 'sdk', { drops: ['body.workspace_id'] }),
  row('service-tiers', [], foundryOnly, 'overview', { drops: ['body.service_tier'] }),
  row('user-profiles', ['2026-03-24', '2026-08-18', '2026-09-04'], nowhere, 'sdk', {
    drops: ['body.user_profile_id'],
  }),
  row('user-profiles-billing', ['2026-10-01'], nowhere, 'sdk', { drops: ['body.billing_policy'] }),
  row('oauth', ['2025-04-20'], nowhere, 'flags'),
  row('claude-code', ['20250219'], ['none', 'none', 'header'], 'flags'),

  // Members of a response that say nothing, and that clients send back
  row('', [], foundryOnly, 'idle', { drops: ['block.citations', 'block.caller'] }),
]
