import { describe, expect, it } from 'bun:test'
import {
  defaultAudioCompletionRatios,
  defaultAudioRatios,
  defaultCacheRatios,
  defaultCompletionRatios,
  defaultImageCompletionRatios,
  defaultImageRatios,
  defaultModelPrices,
  defaultModelRatios,
} from './default-ratios.ts'

describe('default prices', () => {
  it.each([
    ['gpt-4o', 1.25],
    ['gpt-4o-mini', 0.075],
    ['gpt-4.1', 1],
    ['gpt-5', 0.625],
    ['o3-mini', 0.55],
    ['text-embedding-3-small', 0.01],
    ['claude-3-5-sonnet-20241022', 1.5],
    ['claude-opus-4-5', 2.5],
    ['gemini-2.5-flash', 0.15],
    ['deepseek-chat', 0.135],
    ['ERNIE-3.5-8K', 0.821918],
    ['glm-4-flash', 0],
    ['grok-3-mini-fast-beta', 0.3],
  ])('charge a prompt token of %s at %d', (model, ratio) => {
    expect(defaultModelRatios[model]).toBe(ratio)
  })

  it('cover the models of the reference and later ones', () => {
    expect(Object.keys(defaultModelRatios).length).toBeGreaterThanOrEqual(190)
    expect(Object.keys(defaultModelPrices).length).toBeGreaterThanOrEqual(21)
    expect(defaultModelPrices).toMatchObject({
      'dall-e-3': 0.04,
      suno_music: 0.1,
      mj_inpaint: 0,
      swap_face: 0.05,
    })
    expect(defaultCompletionRatios).toMatchObject({ 'gpt-4-gizmo-*': 2, 'gpt-4o-gizmo-*': 3, 'gpt-4-all': 2 })
    expect(defaultCacheRatios).toMatchObject({
      'gpt-4o': 0.5,
      'deepseek-chat': 0.25,
      'claude-3-opus-20240229': 0.1,
    })
  })

  it('charge audio and images at the prices of their vendors', () => {
    // USD per million tokens: text input, audio input, audio output.
    for (const [model, text, input, output] of [
      ['gpt-4o-audio-preview', 2.5, 40, 80],
      ['gpt-4o-realtime-preview', 5, 40, 80],
      ['gpt-4o-mini-realtime-preview', 0.6, 10, 20],
    ] as const) {
      const audio = text * (defaultAudioRatios[model] ?? 0)
      expect([model, audio, audio * (defaultAudioCompletionRatios[model] ?? 0)]).toEqual([
        model,
        expect.closeTo(input, 1),
        expect.closeTo(output, 1),
      ])
    }
    expect(defaultImageRatios).toMatchObject({ 'gpt-image-1': 2 })
    const drawn =
      (defaultImageRatios['gpt-image-1'] ?? 0) * (defaultImageCompletionRatios['gpt-image-1'] ?? 0)
    expect(drawn).toBe(defaultCompletionRatios['gpt-image-1'] ?? 0)
  })

  it.each([
    // USD per million tokens: input, from a cache, output.
    ['gpt-6-astra', 10, 1, 50],
    ['claude-opus-5-5', 4, 0.2, 20],
    ['claude-fable-5-1', 10, 0.25, 50],
    ['gemini-3.1-pro-preview', 2, 0.2, 12],
    ['mistral-small-latest', 0.15, 0.015, 0.6],
  ])('charge %s as its vendor does', (model, input, cached, output) => {
    expect((defaultModelRatios[model] ?? 0) * 2).toBe(input)
    expect(input * (defaultCacheRatios[model] ?? 0)).toBeCloseTo(cached, 6)
    expect(input * (defaultCompletionRatios[model] ?? 0)).toBeCloseTo(output, 5)
  })

  it('give no ratio to a model without a price', () => {
    const priced = new Set([...Object.keys(defaultModelRatios), ...Object.keys(defaultModelPrices)])
    const rated = [
      defaultCacheRatios,
      defaultCompletionRatios,
      defaultAudioRatios,
      defaultAudioCompletionRatios,
      defaultImageRatios,
      defaultImageCompletionRatios,
    ].flatMap(Object.keys)
    expect(rated.filter((model) => !priced.has(model))).toEqual([])
  })

  it('price a name with `-thinking` like its model', () => {
    for (const [model, ratio] of Object.entries(defaultModelRatios)) {
      if (/^claude.*-thinking$/.test(model))
        expect([model, defaultModelRatios[model.replace(/-thinking$/, '')]]).toEqual([model, ratio])
    }
  })
})
