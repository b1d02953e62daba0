import { claudeCodeRequest } from '../dialects/agent-requests.ts'
import { dialectCalls } from '../dialects/dialect-calls.ts'
import { upstreamNames } from '../protocols/upstream-channels.ts'
import type { Agent } from './agent.ts'
import { messageTurns } from './messages-turns.ts'

/** Claude Code with a name of sonnet-4-5: its reasoning has a budget, and comes back without its texts. */
export const claudeCodeSonnet: Agent = {
  name: 'Claude Code with a name of sonnet-4-5',
  dialect: dialectCalls[2],
  tool: { name: 'Bash', arguments: { command: 'ls' } },
  keepsSignaturesOf: upstreamNames,
  request: claudeCodeRequest,
  turnsAfter: messageTurns({ caller: { type: 'direct' } }),
}

/** Claude Code with a name of opus-5-5: it chooses its own reasoning, and instructions come inside the conversation. */
export const claudeCodeOpus: Agent = {
  name: 'Claude Code with a name of opus-5-5',
  dialect: dialectCalls[2],
  tool: { name: 'Bash', arguments: { command: 'ls', description: 'Lists "files"' } },
  keepsSignaturesOf: upstreamNames,
  request: (model, turns) => ({
    path: '/v1/messages?beta=true',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'anthropic-beta':
        'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,effort-2025-11-24,mid-conversation-system-2026-04-01',
      'user-agent': 'claude-cli/2.1.330 (external, sdk-cli)',
      'x-app': 'cli',
    },
    body: JSON.stringify({
      model,
      max_tokens: 64000,
      system: [{ type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'List the files — 列出文件' }] },
        { role: 'system', content: [{ type: 'text', text: 'Todos are empty.' }] },
        ...turns,
        ...(turns.length > 0 ? [{ role: 'system', content: 'The date has changed.' }] : []),
      ],
      tools: [
        {
          name: 'Bash',
          description: 'Runs a command.',
          input_schema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            properties: { command: { type: 'string' }, description: { type: 'string' } },
            required: ['command'],
            additionalProperties: false,
          },
        },
      ],
      thinking: { type: 'adaptive' },
      output_config: { effort: 'medium' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      metadata: { user_id: 'user_0123456789abcdef_account__session_7e2c4ad1' },
      stream: true,
    }),
  }),
  turnsAfter: messageTurns({ caller: { type: 'direct' } }),
}
