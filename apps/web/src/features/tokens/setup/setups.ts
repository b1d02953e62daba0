import { claudeCodeSteps, codexSteps, cursorSteps, geminiCliSteps } from './coding-agents.ts'
import type { ProgramNeeds } from './model-choice.ts'
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
  /** Facts that its models have, where the key may use such. */
  readonly needs: ProgramNeeds
  /** Set where a second model does its small work. */
  readonly hasSmallModel?: true
  /** Texts to paste, by programming language where there is a choice. */
  readonly steps:
    | ((facts: SetupFacts) => readonly SetupStep[])
    | Readonly<Record<SetupLanguage, (facts: SetupFacts) => readonly SetupStep[]>>
}

const program =
  (snippet: (facts: SetupFacts) => string) =>
  (facts: SetupFacts): readonly SetupStep[] => [{ where: { kind: 'program' }, code: snippet(facts) }]

/** Agents read files and call tools: a short context ends their work. */
const agent = { tools: true, context: 100_000 } as const

/** Programs and libraries that a key is used with, those for coding first. */
export const setups = {
  claudeCode: {
    label: 'Claude Code',
    needs: { ...agent, vendor: 'Anthropic' },
    hasSmallModel: true,
    steps: claudeCodeSteps,
  },
  codex: { label: 'Codex', needs: { ...agent, vendor: 'OpenAI' }, steps: codexSteps },
  geminiCli: { label: 'Gemini CLI', needs: { ...agent, vendor: 'Google' }, steps: geminiCliSteps },
  cursor: { label: 'Cursor', needs: { ...agent, vendor: 'OpenAI' }, steps: cursorSteps },
  openai: {
    label: 'OpenAI SDK',
    needs: {},
    steps: { python: program(openAiPython), typescript: program(openAiTypeScript) },
  },
  anthropic: {
    label: 'Anthropic SDK',
    needs: { vendor: 'Anthropic' },
    steps: { python: program(anthropicPython), typescript: program(anthropicTypeScript) },
  },
  google: {
    label: 'Google SDK',
    needs: { vendor: 'Google' },
    steps: { python: program(googlePython), typescript: program(googleTypeScript) },
  },
  curl: {
    label: 'curl',
    needs: {},
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
