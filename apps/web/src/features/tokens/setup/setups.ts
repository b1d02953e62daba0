import { claudeCodeSteps, codexSteps, cursorSteps, geminiCliSteps } from './coding-agents.ts'
import {
  anthropicPython,
  anthropicTypeScript,
  curlSnippet,
  googlePython,
  googleTypeScript,
  openAiPython,
  openAiTypeScript,
} from './sdk-snippets.ts'
import type { SetupFacts, SetupStep } from './setup-facts.ts'

export type SetupLanguage = 'python' | 'typescript'

interface Setup {
  /** A proper name, the same in every language. */
  readonly label: string
  /** Pattern of its own models' names: one of them is shown, where the key may use one. */
  readonly likes?: RegExp
  /** Texts to paste, by programming language where there is a choice. */
  readonly steps:
    | ((facts: SetupFacts) => readonly SetupStep[])
    | Readonly<Record<SetupLanguage, (facts: SetupFacts) => readonly SetupStep[]>>
}

const program =
  (snippet: (facts: SetupFacts) => string) =>
  (facts: SetupFacts): readonly SetupStep[] => [{ where: { kind: 'program' }, code: snippet(facts) }]

const claude = /claude/i
const gemini = /gemini/i
const gpt = /^(gpt|o\d|codex|chatgpt)/i

/** Programs and libraries that a key is used with, those for coding first. */
export const setups = {
  claudeCode: { label: 'Claude Code', likes: claude, steps: claudeCodeSteps },
  codex: { label: 'Codex', likes: gpt, steps: codexSteps },
  geminiCli: { label: 'Gemini CLI', likes: gemini, steps: geminiCliSteps },
  cursor: { label: 'Cursor', likes: gpt, steps: cursorSteps },
  openai: {
    label: 'OpenAI SDK',
    steps: { python: program(openAiPython), typescript: program(openAiTypeScript) },
  },
  anthropic: {
    label: 'Anthropic SDK',
    likes: claude,
    steps: { python: program(anthropicPython), typescript: program(anthropicTypeScript) },
  },
  google: {
    label: 'Google SDK',
    likes: gemini,
    steps: { python: program(googlePython), typescript: program(googleTypeScript) },
  },
  curl: {
    label: 'curl',
    steps: (facts: SetupFacts): readonly SetupStep[] => [
      { where: { kind: 'shell' }, code: curlSnippet(facts) },
    ],
  },
} as const satisfies Record<string, Setup>

export type SetupName = keyof typeof setups
export const setupNames = Object.keys(setups) as readonly SetupName[]

/** Decides whether it comes in more than one programming language. */
export function hasLanguages(name: SetupName): boolean {
  return typeof setups[name].steps === 'object'
}

/** Everything to be pasted, in order; nothing is left to be filled in. */
export function setupSteps(
  name: SetupName,
  language: SetupLanguage,
  facts: SetupFacts,
): readonly SetupStep[] {
  const { steps } = setups[name]
  return (typeof steps === 'function' ? steps : steps[language])(facts)
}

/** Shown where no model is open to the key. */
const fallbackModel = 'gpt-4o-mini'
const notForChat =
  /embed|tts|whisper|dall-e|image|moderation|rerank|realtime|audio|transcribe|suno|midjourney|^mj[_-]/i

/** Models for chat; all models, where none looks like one. */
export function chatModels(models: readonly string[]): readonly string[] {
  const chatting = models.filter((model) => !notForChat.test(model))
  return chatting.length > 0 ? chatting : models
}

/** The model to show a first call with: one of the program's own, where the key may use it. */
export function exampleModel(name: SetupName, models: readonly string[]): string {
  const usable = chatModels(models)
  const { likes }: Setup = setups[name]
  const liked = likes && usable.find((model) => likes.test(model))
  return liked ?? usable.find((model) => model === fallbackModel) ?? usable[0] ?? fallbackModel
}
