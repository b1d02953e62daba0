import {
  fact,
  type Limits,
  type ModelFamily,
  type ReasoningRules,
  type SamplingRules,
} from '../target-profile.ts'

/** Facts about Claude in Anthropic's own format, wherever it is hosted. */

const thinkingPage = 'https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting'
const extendedPage = 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking'
const effortPage = 'https://platform.claude.com/docs/en/build-with-claude/effort'
const sonnet55Page = 'https://platform.claude.com/docs/en/models/sonnet-5-5/whats-new-sonnet-5-5'
const samplingPage = 'https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-7'
const bedrockPage =
  'https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html'

export const claudeLimits: Limits = {
  toolName: { max: 128, characters: 'word' },
  callId: { max: 64, characters: 'word' },
  texts: { 'metadata.user_id': { max: 256 } },
}

const off = { switch: 'thinking-type', unasked: 'does-not-think' } as const
const on = { switch: 'thinking-type', unasked: 'thinks' } as const
const never: ReasoningRules = { switch: 'never', efforts: [], unasked: 'does-not-think', types: [] }

const lowToHigh = ['low', 'medium', 'high'] as const
const lowToMax = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** A model that thinks takes the temperature that it has anyway and a `top_p` near it. */
const whileThinking: SamplingRules = {
  refuses: ['temperature', 'top_p', 'top_k'],
  when: 'reasoning',
  accepts: { temperature: 1, top_p: [0.95, 1] },
}
const eitherOne: SamplingRules = { ...whileThinking, notBoth: ['temperature', 'top_p'] }
const noSampling: SamplingRules = {
  refuses: ['temperature', 'top_p', 'top_k'],
  when: 'always',
  accepts: { temperature: 1, top_p: [0.99, 1] },
}

/** Budgets alone up to 4.5, both ways at 4.6, no budgets since; each with the efforts of `output_config`. */
export const claudeFamilies: readonly ModelFamily[] = [
  {
    models: ['*claude-[12]', '*claude-[12].*', '*claude-v[12]*', '*claude-instant*', '*claude-3[-.][!7]*'],
    reasoning: fact(never, thinkingPage),
  },
  {
    models: ['*claude-3[-.]7*', '*claude-opus-4*', '*claude-sonnet-4*', '*claude-haiku-4*'],
    reasoning: fact({ ...off, efforts: [], types: ['enabled', 'disabled'] }, extendedPage),
    sampling: fact(whileThinking, extendedPage),
  },
  {
    models: ['*claude-opus-4[-.][1-6]*', '*claude-sonnet-4[-.][5-6]*', '*claude-haiku-4[-.]5*'],
    except: ['*claude-*-4-[1-9][0-9]*'],
    sampling: fact(eitherOne, 'https://github.com/open-webui/functions/pull/9'),
  },
  {
    models: ['*claude-opus-4[-.]5*'],
    reasoning: fact({ ...off, efforts: lowToHigh, types: ['enabled', 'disabled'] }, effortPage),
  },
  {
    models: ['*claude-opus-4[-.]6*', '*claude-sonnet-4[-.]6*'],
    reasoning: fact(
      { ...off, efforts: ['low', 'medium', 'high', 'max'], types: ['enabled', 'adaptive', 'disabled'] },
      thinkingPage,
    ),
  },
  {
    models: ['*claude-opus-4[-.][789]*', '*claude-sonnet-4[-.][789]*'],
    // Saying that it is off is refused by some hosts, and saying nothing is off.
    reasoning: fact({ ...off, efforts: lowToMax, types: ['adaptive'] }, bedrockPage),
    sampling: fact(noSampling, samplingPage),
  },
  {
    models: ['*claude-opus-[5-9]*', '*claude-sonnet-[5-9]*', '*claude-haiku-[5-9]*'],
    reasoning: fact(
      { ...on, efforts: lowToMax, types: ['adaptive', 'disabled'], offUpTo: 'high' },
      thinkingPage,
    ),
    sampling: fact(noSampling, samplingPage),
  },
  {
    models: ['*claude-sonnet-5[-.]5*'],
    reasoning: fact(
      { ...on, efforts: lowToMax, types: ['adaptive', 'between_tools'], offUpTo: 'high' },
      sonnet55Page,
    ),
  },
  {
    models: ['*claude-opus-5[-.]5*', '*claude-fable*', '*claude-mythos-[5-9]*'],
    reasoning: fact({ ...on, efforts: lowToMax, types: ['adaptive'] }, thinkingPage),
    sampling: fact(noSampling, samplingPage),
  },
  {
    models: ['*claude-mythos-preview*'],
    reasoning: fact({ ...on, efforts: ['low', 'medium', 'high', 'max'], types: ['adaptive'] }, bedrockPage),
    sampling: fact(noSampling, samplingPage),
  },
]
