import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpstreamName } from '../support/protocols/upstream-channels.ts'

/** A program that people point at a gateway, as npm has it. */
export interface Program {
  readonly package: string
  readonly version: string
  /** Its command among those that the package brings. */
  readonly command: string
}

const claudeCode: Program = { package: '@anthropic-ai/claude-code', version: '2.1.330', command: 'claude' }
const codex: Program = { package: '@openai/codex', version: '0.169.0', command: 'codex' }
const geminiCli: Program = { package: '@google/gemini-cli', version: '0.61.0', command: 'gemini' }
const qwenCode: Program = { package: '@qwen-code/qwen-code', version: '0.24.4', command: 'qwen' }
const opencode: Program = { package: 'opencode-ai', version: '1.18.33', command: 'opencode' }

/** Program that is started for one prompt, so that it works without a person and sends no telemetry. */
export interface Client {
  readonly name: string
  readonly program: Program
  /** The upstream that speaks its own dialect. */
  readonly own: UpstreamName
  /** The program goes by its name. */
  readonly model: string
  /** Writes what it reads at its start into its home, and says how to call it. */
  start(position: Position): Start
  /** The tool that it writes a file with: its name as offered, and its arguments. */
  readonly tool: RegExp
  toolArguments(file: string, content: string): object
}

export interface Position {
  readonly gatewayUrl: string
  readonly key: string
  readonly home: string
  /** Folder in which it works. */
  readonly folder: string
  readonly prompt: string
  readonly model: string
}

export interface Start {
  readonly arguments: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const shell = (file: string, content: string) => `printf '%s' '${content}' > '${file}'`

function claudeCodeOf(name: string, model: string): Client {
  return {
    name,
    program: claudeCode,
    own: 'anthropic',
    model,
    start: ({ gatewayUrl, key, prompt }) => ({
      arguments: ['--print', prompt, '--model', model, '--allowedTools', 'Write,Bash,Read'],
      env: {
        ANTHROPIC_BASE_URL: gatewayUrl,
        ANTHROPIC_API_KEY: key,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
      },
    }),
    tool: /^Write$/,
    toolArguments: (file_path, content) => ({ file_path, content }),
  }
}

function codexOf(name: string, model: string): Client {
  return {
    name,
    program: codex,
    own: 'responses',
    model,
    start({ gatewayUrl, key, home, folder, prompt }) {
      write(home, '.codex/config.toml', codexConfig(gatewayUrl, model))
      return {
        arguments: [
          'exec',
          '--skip-git-repo-check',
          '--dangerously-bypass-approvals-and-sandbox',
          '-C',
          folder,
          prompt,
        ],
        env: { CODEX_HOME: join(home, '.codex'), GATEWAY_KEY: key },
      }
    },
    tool: /(^|__)(exec_command|shell_command|shell)$/,
    toolArguments: (file, content) => ({ cmd: shell(file, content), command: shell(file, content) }),
  }
}

function codexConfig(gatewayUrl: string, model: string): string {
  return `model = "${model}"
model_provider = "gateway"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.gateway]
name = "gateway"
base_url = "${gatewayUrl}/v1"
env_key = "GATEWAY_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`
}

const geminiCliClient: Client = {
  name: 'Gemini CLI',
  program: geminiCli,
  own: 'gemini',
  model: 'gemini-3.8-flash',
  start({ gatewayUrl, key, home, prompt, model }) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
    }
    write(home, '.gemini/settings.json', JSON.stringify(settings))
    return {
      arguments: ['--prompt', prompt, '--model', model, '--yolo', '--skip-trust'],
      env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: gatewayUrl },
    }
  },
  tool: /^write_file$/,
  toolArguments: (file_path, content) => ({ file_path, content }),
}

const qwenCodeClient: Client = {
  name: 'Qwen Code',
  program: qwenCode,
  own: 'openai',
  model: 'qwen3-coder-plus',
  start({ gatewayUrl, key, home, prompt, model }) {
    const settings = {
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
      security: { folderTrust: { enabled: false } },
    }
    write(home, '.qwen/settings.json', JSON.stringify(settings))
    return {
      arguments: ['--prompt', prompt, '--yolo', '--auth-type', 'openai'],
      env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${gatewayUrl}/v1`, OPENAI_MODEL: model },
    }
  },
  tool: /^write_file$/,
  toolArguments: (file_path, content) => ({ file_path, content }),
}

/** The packages that opencode speaks each dialect with; they are inside the program. */
const opencodePackages = {
  openai: ['@ai-sdk/openai-compatible', '/v1'],
  responses: ['@ai-sdk/openai', '/v1'],
  anthropic: ['@ai-sdk/anthropic', '/v1'],
  gemini: ['@ai-sdk/google', '/v1beta'],
} as const

function opencodeOver(own: keyof typeof opencodePackages): Client {
  const [npm, path] = opencodePackages[own]
  return {
    name: `opencode (${own})`,
    program: opencode,
    own,
    model: `house-agent-${own}`,
    start({ gatewayUrl, key, home, prompt, model }) {
      const options = { baseURL: gatewayUrl + path, apiKey: key }
      const config = {
        share: 'disabled',
        autoupdate: false,
        provider: { gateway: { npm, options, models: { [model]: { name: model, tool_call: true } } } },
      }
      write(home, '.config/opencode/opencode.json', JSON.stringify(config))
      return {
        arguments: ['run', '--model', `gateway/${model}`, prompt],
        env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      }
    },
    tool: /^write$/,
    toolArguments: (filePath, content) => ({ filePath, content }),
  }
}

function write(home: string, path: string, text: string): void {
  const file = join(home, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

export const clients: readonly Client[] = [
  claudeCodeOf('Claude Code', 'claude-sonnet-4-5'),
  claudeCodeOf('Claude Code (opus)', 'claude-opus-5-5'),
  codexOf('Codex', 'gpt-5.5'),
  codexOf('Codex (other)', 'house-agent-codex'),
  geminiCliClient,
  qwenCodeClient,
  opencodeOver('openai'),
  opencodeOver('responses'),
  opencodeOver('anthropic'),
  opencodeOver('gemini'),
]
