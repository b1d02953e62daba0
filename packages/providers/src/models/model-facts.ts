import { type NamePattern, nameTest } from './name-pattern.ts'

/** A fact that holds for models by their names. */
interface ModelFact extends NamePattern {
  readonly source: string
  readonly date: string
}

const date = '2026-11-22'

/** Documented facts of models that a provider needs and has to derive from the model's name. */
const facts = {
  /** Models of OpenAI that reason: they take `max_completion_tokens` alone. */
  'openai-reasons': {
    names: ['o[1-9]*', 'gpt-[5-9]*', 'gpt-1[0-9]*'],
    source: 'https://platform.openai.com/docs/guides/reasoning',
    date,
  },
  /** They support the Responses API alone. */
  'openai-responses-only': {
    names: [
      ...[
        'gpt-5-pro*',
        'gpt-5.[0-9]-pro*',
        'gpt-5.[0-9][0-9]-pro*',
        'o1-pro*',
        'o3-pro*',
        'codex-mini-latest',
      ],
      ...['computer-use-preview*', '*-codex', '*-codex[!a-zA-Z0-9_]*', '*deep-research*'],
    ],
    source: 'https://platform.openai.com/docs/models',
    date,
  },
  /** Chat Completions refuses functions beside an effort other than `none`. */
  'openai-reasons-in-responses': {
    names: ['gpt-5.[4-9]*', 'gpt-5.[1-9][0-9]*', 'gpt-[6-9]*', 'gpt-1[0-9]*'],
    except: ['*-chat*'],
    source: 'https://github.com/openai/openai-openapi/issues/541',
    date: '2026-11-30',
  },
  /** The same models from the one on that is refused without an effort, too. */
  'openai-reasons-unasked': {
    names: ['gpt-5.[6-9]*', 'gpt-5.[1-9][0-9]*', 'gpt-[6-9]*', 'gpt-1[0-9]*'],
    source: 'https://github.com/livekit/agents/pull/7169',
    date: '2026-11-30',
  },
  /** One model whose reasoning the request switches on or off. */
  'deepseek-switches-thinking': {
    names: ['deepseek-v[4-9]*'],
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
    date,
  },
  /** GLM before 4.5: a temperature of 0 has a switch of its own, images are bare Base64. */
  'zhipu-before-4.5': {
    names: ['glm-[34]', 'glm-[34][!.0-9]*'],
    anyCase: true,
    source: 'https://docs.bigmodel.cn/cn/guide/models/text/glm-4.5',
    date,
  },
  /** They do not reason, and refuse to be asked to. */
  'cohere-never-reasons': {
    names: [
      ...['command', 'command-light', 'command-nightly', 'command-r*', 'command-a-0*', 'command-a-vision*'],
      ...['command-a-translate*', 'c4ai-*', 'aya*', 'tiny-aya*'],
    ],
    anyCase: true,
    source: 'https://docs.cohere.com/docs/reasoning',
    date,
  },
  /** They take or give sound in every conversation, and refuse one in text alone. */
  'needs-sound': {
    names: ['*realtime*', '*-audio', '*-audio-*'],
    anyCase: true,
    source: 'https://platform.openai.com/docs/guides/audio, https://ai.google.dev/gemini-api/docs/live',
    date: '2026-11-30',
  },
  /** They search or browse unasked, so that they read more than a call sends: Sonar, deep research, Compound, bots, custom GPTs. */
  'searches-unasked': {
    names: ['*search*', '*sonar*', '*compound*', '*online*', '*gizmo*', '*-all', 'bot-*'],
    anyCase: true,
    source: 'https://docs.perplexity.ai, https://console.groq.com/docs/compound',
    date,
  },
} as const satisfies Readonly<Record<string, ModelFact>>

/** Name of a fact. */
export type ModelFactName = keyof typeof facts

const tests = Object.fromEntries(
  Object.entries<ModelFact>(facts).map(([name, fact]) => [name, nameTest(fact)]),
) as Readonly<Record<ModelFactName, (model: string) => boolean>> // Its keys are the facts'.

/** Looks a fact up for a model, by its name. */
export function isModel(fact: ModelFactName, model: string): boolean {
  return tests[fact](model)
}
