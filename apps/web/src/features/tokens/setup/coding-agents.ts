import { openAiBase, type SetupFacts, type SetupStep, shellStep } from './setup-facts.ts'

/**
 * Claude Code speaks Anthropic's format and adds `/v1/messages` to the address itself. A token is sent as a bearer; small
 * background work goes to its "haiku" model, which has to be one of ours too.
 * https://docs.anthropic.com/en/docs/claude-code/llm-gateway
 */
export function claudeCodeSteps({ address, key, model, smallModel }: SetupFacts): readonly SetupStep[] {
  const env = {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: smallModel,
  }
  return [
    shellStep(env, 'claude'),
    { where: { kind: 'file', path: '~/.claude/settings.json' }, code: JSON.stringify({ env }, undefined, 2) },
  ]
}

const codexProvider = 'tollgate'
const codexKey = 'TOLLGATE_API_KEY'

/**
 * Codex speaks the Responses format alone, and reads keys from the environment. JSON texts are texts in TOML as well.
 * https://github.com/openai/codex/blob/main/docs/config.md
 */
export function codexSteps(facts: SetupFacts): readonly SetupStep[] {
  const lines = [
    `model = ${JSON.stringify(facts.model)}`,
    `model_provider = "${codexProvider}"`,
    '',
    `[model_providers.${codexProvider}]`,
    `name = ${JSON.stringify(facts.system)}`,
    `base_url = ${JSON.stringify(openAiBase(facts))}`,
    `env_key = "${codexKey}"`,
    'wire_api = "responses"',
  ]
  return [
    { where: { kind: 'file', path: '~/.codex/config.toml' }, code: lines.join('\n') },
    shellStep({ [codexKey]: facts.key }, 'codex'),
  ]
}

/**
 * Gemini CLI speaks Google's format and adds `/v1beta` itself.
 * https://github.com/google-gemini/gemini-cli/issues/6746
 */
export function geminiCliSteps({ address, key, model }: SetupFacts): readonly SetupStep[] {
  const env = { GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key, GEMINI_MODEL: model }
  return [shellStep(env, 'gemini')]
}

/** Returns the steps for Cursor, which has fields under Settings → Models, named as here. */
export function cursorSteps(facts: SetupFacts): readonly SetupStep[] {
  const fields = {
    'OpenAI API Key': facts.key,
    'Override OpenAI Base URL': openAiBase(facts),
    'Add or search model': facts.model,
  }
  return Object.entries(fields).map(([name, code]) => ({ where: { kind: 'field', name }, code }))
}
