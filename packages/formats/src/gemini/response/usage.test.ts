import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { promptTokensOf, usageOf } from '../../usage.ts'
import { encodeUsage, readUsage } from './usage.ts'

describe('readUsage', () => {
  it('counts cached tokens apart, reasoning as output, and tool results as input', () => {
    expect(
      readUsage({
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        toolUsePromptTokenCount: 7,
        candidatesTokenCount: 10,
        thoughtsTokenCount: 30,
        totalTokenCount: 147,
      }),
    ).toEqual({
      ...usageOf({ inputTokens: 47, cacheReadTokens: 60, outputTokens: 40, reasoningTokens: 30 }),
      maxRoundPromptTokens: 100,
    })
  })

  it('counts sound and pictures by their modality, without what was cached of them', () => {
    expect(
      readUsage({
        promptTokenCount: 100,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 50,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 20 },
          { modality: 'AUDIO', tokenCount: 50 },
          { modality: 'IMAGE', tokenCount: 30 },
        ],
        cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 48 }],
      }),
    ).toEqual(
      usageOf({
        inputTokens: 60,
        cacheReadTokens: 40,
        audioInputTokens: 10,
        imageInputTokens: 30,
        outputTokens: 50,
        imageOutputTokens: 48,
      }),
    )
  })

  it('does not count reasoning twice where the candidates include it, as the total shows', () => {
    const inside = {
      promptTokenCount: 9,
      candidatesTokenCount: 40,
      thoughtsTokenCount: 30,
      totalTokenCount: 49,
    }
    expect(readUsage(inside)).toMatchObject({ outputTokens: 40, reasoningTokens: 30 })
    const beside = { ...inside, candidatesTokenCount: 10 }
    expect(readUsage(beside)).toMatchObject({ outputTokens: 40, reasoningTokens: 30 })
  })

  it('knows no usage that cannot be charged', () => {
    for (const raw of [
      undefined,
      null,
      5,
      {},
      { promptTokenCount: 0 },
      { promptTokenCount: -1 },
      { promptTokenCount: 1e9 },
    ])
      expect(readUsage(raw)).toBeUndefined()
    expect(readUsage({ promptTokenCount: 1, candidatesTokenCount: 0.5 })).toBeUndefined()
    expect(readUsage({ prompt_token_count: 1 })).toEqual(usageOf({ inputTokens: 1 }))
  })
})

describe('encodeUsage', () => {
  it('says what readUsage reads', () => {
    const count = fc.nat(10_000)
    const counts = fc.record({
      inputTokens: count.map((tokens) => tokens + 1),
      cacheReadTokens: count,
      outputTokens: count,
      audioInputTokens: count,
      imageInputTokens: count,
      reasoningTokens: count,
    })
    fc.assert(
      fc.property(counts, (raw) => {
        const usage = usageOf(raw)
        expect(readUsage(encodeUsage(usage))).toEqual(usage)
      }),
    )
  })

  it('reports cache writes as prompt', () => {
    const usage = usageOf({ inputTokens: 1, cacheWriteTokens: 2, cacheWrite1hTokens: 3, outputTokens: 4 })
    expect(encodeUsage(usage)).toEqual({ promptTokenCount: 6, candidatesTokenCount: 4, totalTokenCount: 10 })
    expect(promptTokensOf(usage)).toBe(6)
  })

  it('reports modalities of the output without reasoning', () => {
    const usage = usageOf({ inputTokens: 1, outputTokens: 10, reasoningTokens: 2, audioOutputTokens: 5 })
    expect(encodeUsage(usage)).toMatchObject({
      candidatesTokensDetails: [
        { modality: 'TEXT', tokenCount: 3 },
        { modality: 'AUDIO', tokenCount: 5 },
      ],
    })
  })
})
