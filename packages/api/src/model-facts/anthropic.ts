import { factsOf, seeing, seeingThinking } from './model-facts.ts'

/** https://platform.claude.com/docs/en/about-claude/models/overview */
export const anthropicFacts = factsOf('Anthropic', [
  [1_000_000, 128_000, seeingThinking, ['claude-fable-5', 'claude-opus-5', 'claude-sonnet-5']],
  [
    1_000_000,
    128_000,
    seeingThinking,
    ['claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6', 'claude-sonnet-4-6'],
  ],
  [200_000, 64_000, seeingThinking, ['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5']],
  [200_000, 32_000, seeingThinking, ['claude-opus-4-1', 'claude-opus-4-0', 'claude-opus-4']],
  [200_000, 64_000, seeingThinking, ['claude-sonnet-4-0', 'claude-sonnet-4', 'claude-3-7-sonnet']],
  [200_000, 8192, seeing, ['claude-3-5-sonnet', 'claude-3-5-haiku']],
  [200_000, 4096, seeing, ['claude-3-opus', 'claude-3-sonnet', 'claude-3-haiku']],
  [200_000, 4096, ['chat'], ['claude-2.1']],
  [100_000, 4096, ['chat'], ['claude-2.0', 'claude-instant-1']],
])
