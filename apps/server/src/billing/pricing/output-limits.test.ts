import { expect, it } from 'bun:test'
import { limitsAfterOverride, type OutputLimits, type OverrideOfLimits } from './output-limits.ts'

const unlimited: OutputLimits = { maxOutputTokens: undefined, candidates: 1 }
const hundred: OutputLimits = { maxOutputTokens: 100, candidates: 1 }
const twice: OutputLimits = { maxOutputTokens: 200, candidates: 2 }

it.each<[string, OutputLimits, Record<string, unknown>, OutputLimits]>([
  ['no fields', hundred, {}, hundred],
  ['one of other things', twice, { temperature: 0, stream: true }, twice],
  ['a limit where there was none', unlimited, { max_tokens: 500 }, { maxOutputTokens: 500, candidates: 1 }],
  ['a raised limit', hundred, { max_completion_tokens: 500 }, { maxOutputTokens: 500, candidates: 1 }],
  [
    'a raised limit for each candidate',
    twice,
    { max_output_tokens: 500 },
    { maxOutputTokens: 1000, candidates: 2 },
  ],
  ['a limit under another name, which may be lower', hundred, { max_tokens: 10 }, hundred],
  [
    'the largest of several',
    hundred,
    { max_tokens: 10, maxOutputTokens: '700' },
    { maxOutputTokens: 700, candidates: 1 },
  ],
  ['a limit taken away', hundred, { max_tokens: null }, unlimited],
  ['a limit of zero, which is none', hundred, { max_tokens: 0 }, unlimited],
  ['more answers', hundred, { n: 3 }, { maxOutputTokens: 300, candidates: 3 }],
  ['more answers without a limit', unlimited, { n: 3 }, { maxOutputTokens: undefined, candidates: 3 }],
  [
    'more answers to each of two prompts',
    twice,
    { n: 2, best_of: 3 },
    { maxOutputTokens: 600, candidates: 6 },
  ],
  [
    'settings of Gemini',
    hundred,
    { generationConfig: { maxOutputTokens: 500, candidateCount: 2 } },
    { maxOutputTokens: 1000, candidates: 2 },
  ],
  [
    'settings in snake case',
    hundred,
    { generation_config: { max_output_tokens: 500 } },
    { maxOutputTokens: 500, candidates: 1 },
  ],
  ['settings that replace the limit with none', hundred, { generationConfig: { temperature: 0 } }, unlimited],
  ['settings that are null', hundred, { generationConfig: null }, unlimited],
  ['nonsense', hundred, { max_tokens: Number.NaN, n: 'many' }, unlimited],
  [
    'a call without output',
    { maxOutputTokens: 0, candidates: 1 },
    { dimensions: 3 },
    { maxOutputTokens: 0, candidates: 1 },
  ],
])('bounds a call by %s', (_, limits, fields, expected) => {
  expect(limitsAfterOverride(limits, { fields, operations: [] })).toEqual(expected)
})

type Operation = OverrideOfLimits['operations'][number]
const operation: Operation = { mode: 'set', path: ['max_tokens'], source: [], value: null }

it.each<[string, Partial<Operation>, OutputLimits]>([
  ['sets a higher limit', { value: 500 }, { maxOutputTokens: 500, candidates: 1 }],
  ['may set a lower one', { value: 5 }, hundred],
  [
    'sets one inside',
    { path: ['generationConfig', 'maxOutputTokens'], value: 500 },
    { maxOutputTokens: 500, candidates: 1 },
  ],
  ['asks for more answers', { path: ['n'], value: 4 }, { maxOutputTokens: 400, candidates: 4 }],
  ['takes the limit away', { mode: 'delete' }, unlimited],
  ['moves it', { mode: 'move', source: ['max_tokens'], path: ['x'] }, unlimited],
  ['does something else', { path: ['top_p'], value: 1 }, hundred],
])('bounds a call whose operation %s', (_, change, expected) => {
  const override = { fields: {}, operations: [{ ...operation, ...change }] }
  expect(limitsAfterOverride(hundred, override)).toEqual(expected)
  expect(limitsAfterOverride(hundred, null)).toEqual(hundred)
})
