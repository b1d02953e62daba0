import { fact, type Limits, type ModelFamily } from '../target-profile.ts'

/** Facts about Claude in Anthropic's own format, wherever it is hosted. */

const effortPage = 'https://reference.langchain.com/python/deepagents-code/reasoning_effort/'

export const claudeLimits: Limits = {
  toolName: { max: 128, characters: 'word' },
  callId: { max: 64, characters: 'word' },
  texts: { 'metadata.user_id': { max: 256 } },
}

const off = { switch: 'thinking-type', unasked: 'does-not-think' } as const

/** Efforts of `output_config`; models before these have none. */
export const claudeFamilies: readonly ModelFamily[] = [
  {
    models: ['*claude-opus-4[-.]5*'],
    reasoning: fact({ ...off, efforts: ['low', 'medium', 'high'] }, `${effortPage}ANTHROPIC_EFFORTS_NO_MAX`),
  },
  {
    models: ['*claude-opus-4[-.]6*', '*claude-sonnet-4[-.]6*'],
    reasoning: fact(
      { ...off, efforts: ['low', 'medium', 'high', 'max'] },
      `${effortPage}ANTHROPIC_EFFORTS_NO_XHIGH`,
    ),
  },
  {
    models: ['*claude-opus-4[-.][789]*'],
    reasoning: fact(
      { ...off, efforts: ['low', 'medium', 'high', 'xhigh', 'max'] },
      'https://github.com/Yeachan-Heo/gajae-code/issues/3913',
    ),
  },
  {
    models: ['*claude-opus-[5-9]*', '*claude-sonnet-[5-9]*', '*claude-fable*', '*claude-mythos-[5-9]*'],
    reasoning: fact(
      { switch: 'thinking-type', efforts: ['low', 'medium', 'high', 'xhigh', 'max'], unasked: 'thinks' },
      'https://github.com/Yeachan-Heo/gajae-code/issues/3913',
    ),
  },
]
