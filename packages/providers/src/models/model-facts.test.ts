import { describe, expect, it } from 'bun:test'
import { isModel, type ModelFactName } from './model-facts.ts'

/** Azure's deployments of older models, which many operators map to: no two-digit generations. */
const withoutDots = ['gpt-35-turbo', 'gpt-35-turbo-16k', 'gpt-41', 'gpt-41-mini', 'gpt-45-preview']

describe('facts of models', () => {
  it.each<[ModelFactName, readonly string[], readonly string[]]>([
    [
      'openai-reasons',
      ['o1', 'o3-mini', 'gpt-5', 'gpt-10-x'],
      ['gpt-4o', 'omni-moderation-latest', 'my-gpt-5', ...withoutDots],
    ],
    [
      'openai-responses-only',
      ['gpt-5.2-pro', 'gpt-5.3-codex', 'o4-mini-deep-research'],
      ['gpt-5', 'codexample'],
    ],
    [
      'openai-reasons-in-responses',
      ['gpt-5.4', 'gpt-5.10', 'gpt-6-sol'],
      ['gpt-5.3', 'gpt-5.4-chat', 'gpt-5', ...withoutDots],
    ],
    [
      'openai-reasons-unasked',
      ['gpt-5.6-sol', 'gpt-5.10', 'gpt-6-sol'],
      ['gpt-5.5', 'gpt-5.4-mini', ...withoutDots],
    ],
    ['zhipu-before-4.5', ['glm-4', 'GLM-4-plus', 'glm-4v'], ['glm-4.5', 'glm-5']],
    [
      'needs-sound',
      [
        'gpt-realtime',
        'gpt-4o-audio-preview',
        'gpt-4o-mini-Realtime',
        'gemini-2.5-flash-native-audio-dialog',
      ],
      ['gpt-4o', 'qwen3-omni-flash', 'audiobook-1', 'gemini-2.5-flash'],
    ],
    ['searches-unasked', ['sonar-pro', 'bot-1', 'gpt-4-all'], ['gpt-4o', 'robot-1']],
  ])('%s holds for its models by their names alone', (fact, those, others) => {
    expect(those.filter((model) => !isModel(fact, model))).toEqual([])
    expect(others.filter((model) => isModel(fact, model))).toEqual([])
  })
})
