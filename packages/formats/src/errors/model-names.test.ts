import { describe, expect, it } from 'bun:test'
import { inCallersModel } from './model-names.ts'

const reported = (text: string, ...names: readonly string[]) => inCallersModel(text, names, 'house')

describe('inCallersModel', () => {
  it.each([
    ['The model `gpt-4o` does not exist', 'The model `house` does not exist'],
    ['gpt-4o, GPT-4O. (gpt-4o)', 'house, house. (house)'],
    ['Rate limit for gpt-4o-2024-08-06 reached', 'Rate limit for house reached'],
    ['model "openai/gpt-4o" is down', 'model "house" is down'],
    ['models/gpt-4o is not found', 'models/house is not found'],
    ['模型gpt-4o不存在', '模型house不存在'],
    [
      'gpt-4o-mini and gpt-4o.1 and xgpt-4o and ft:gpt-4o:org and my-gpt-4o',
      'gpt-4o-mini and gpt-4o.1 and xgpt-4o and ft:gpt-4o:org and my-gpt-4o',
    ],
  ])('replaces whole names: %s', (text, expected) => {
    expect(reported(text, 'gpt-4o')).toBe(expected)
  })

  it('replaces a plain word only where it is a model', () => {
    expect(reported('No chat: model chat, "chat" and `chat` are off; chats go on', 'chat')).toBe(
      'No chat: model house, "house" and `house` are off; chats go on',
    )
  })

  it('replaces each name of several, and leaves what the caller wrote', () => {
    expect(reported('o3-mini-high is o3-mini, not house', 'o3-mini-high', 'o3-mini')).toBe(
      'house is house, not house',
    )
    expect(inCallersModel('my/m-1 is off', ['m-1'], 'my/m-1')).toBe('my/m-1 is off')
  })
})
