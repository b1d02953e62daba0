/** Requests of the shape that coding agents send; the text is made up, fields and headers are those seen on the wire. */
export interface AgentRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const signature = `ErUB${'kQqLmZ3v9cT7yXw2aBdEfGhIjKlMnOpQrStUvWxYz0123456789+/'.repeat(6)}==`

function longText(words: number): string {
  return Array.from({ length: words }, (_, index) => `word${index % 97}`).join(' ')
}

const claudeCodeTurns = [
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: '', signature },
      {
        type: 'tool_use',
        id: 'toolu_01A09q90qw90lq917835lq9',
        name: 'Bash',
        input: { command: 'ls' },
        caller: { type: 'direct' },
      },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'toolu_01A09q90qw90lq917835lq9',
        content: 'README.md\nsrc',
        is_error: false,
        cache_control: { type: 'ephemeral' },
      },
    ],
  },
]

/** Claude Code 2.1 with a sonnet-4-5 name, in its second turn by default; near 87 KB. */
export function claudeCodeRequest(model: string, turns: readonly unknown[] = claudeCodeTurns): AgentRequest {
  const tools = Array.from({ length: 16 }, (_, index) => ({
    name: index === 0 ? 'Bash' : `Tool${index}`,
    description: longText(500),
    input_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { command: { type: 'string' }, timeout: { type: 'number', maximum: 600000 } },
      required: ['command'],
      additionalProperties: false,
    },
    ...(index === 5 && { defer_loading: true }),
    ...(index === 15 && { cache_control: { type: 'ephemeral', ttl: '1h' } }),
  }))
  const body = {
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: `<system-reminder>\n${longText(2000)}\n</system-reminder>` },
          { type: 'text', text: 'List the files — 列出文件', cache_control: { type: 'ephemeral' } },
        ],
      },
      ...turns,
    ],
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.330; cc_entrypoint=sdk-cli;' },
      { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: longText(1500), cache_control: { type: 'ephemeral' } },
    ],
    tools,
    metadata: { user_id: 'user_0123456789abcdef_account__session_7e2c4ad1-0000-4000-8000-000000000000' },
    max_tokens: 32000,
    thinking: { budget_tokens: 31999, type: 'enabled', display: 'omitted' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    stream: true,
  }
  return {
    path: '/v1/messages?beta=true',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'anthropic-beta':
        'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,prompt-caching-scope-2026-01-05,advanced-tool-use-2025-11-20',
      'anthropic-dangerous-direct-browser-access': 'true',
      'user-agent': 'claude-cli/2.1.330 (external, sdk-cli)',
      'x-app': 'cli',
      'x-stainless-lang': 'js',
      'x-stainless-retry-count': '0',
      'x-stainless-timeout': '600',
    },
    body: JSON.stringify(body),
  }
}

const geminiCliCall = { id: 'run_shell_command-1732300000000-a1b2', name: 'run_shell_command' }
const geminiCliTurns = [
  {
    role: 'model',
    parts: [
      { functionCall: { ...geminiCliCall, args: { command: 'ls' } }, thoughtSignature: signature },
      { text: '', thoughtSignature: signature.slice(0, 60) },
    ],
  },
  {
    role: 'user',
    parts: [{ functionResponse: { ...geminiCliCall, response: { output: 'README.md\nsrc' } } }],
  },
]

/** Gemini CLI 0.61 in its second turn by default. */
export function geminiCliRequest(model: string, turns: readonly unknown[] = geminiCliTurns): AgentRequest {
  const body = {
    contents: [
      { role: 'user', parts: [{ text: longText(800) }, { text: 'List the files — 列出文件' }] },
      ...turns,
    ],
    systemInstruction: { role: 'user', parts: [{ text: longText(3000) }] },
    tools: [
      {
        functionDeclarations: [
          {
            name: 'run_shell_command',
            description: longText(200),
            parametersJsonSchema: {
              type: 'object',
              properties: { command: { type: 'string' }, directory: { type: ['string', 'null'] } },
              required: ['command'],
              additionalProperties: false,
            },
          },
        ],
      },
    ],
    generationConfig: {
      temperature: 1,
      topP: 0.95,
      topK: 64,
      thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 },
    },
  }
  return {
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GeminiCLI/0.61.0/gemini-3.8-flash (linux; x64) google-genai-sdk/1.30.0 gl-node/v24.0.0',
      'x-goog-api-client': 'google-genai-sdk/1.30.0 gl-node/v24.0.0',
    },
    body: JSON.stringify(body),
  }
}

/**
 * Adds parts to a request that re-serialised JSON would change (an escape, a number with a fraction of 0, a large integer), and an
 * unknown field.
 */
export function withUnusualFields(request: AgentRequest): AgentRequest {
  const body = request.body.slice(0, -1).replace('列出文件', '\\u5217\\u51fa文件')
  return { ...request, body: `${body} , "x_future": {"a":[1.0,2e0,12345678901234567890]}\n}` }
}
