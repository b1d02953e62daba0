import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import { deploymentParameters, modelInfo } from './config-file.ts'
import { pricesOf, unplacedPrices } from './deployment-prices.ts'
import type { Deployment } from './deployments.ts'

function deployment(name: string, parameters: object, info: object = {}): Deployment {
  return {
    name,
    parameters: deploymentParameters.parse(parameters),
    info: modelInfo.parse(info),
    isBlocked: false,
    faults: [],
  }
}

function prices(...deployments: readonly Deployment[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(pricesOf(deployments, 500_000).map(({ key, value }) => [key, JSON.parse(value)]))
}

describe('prices of LiteLLM', () => {
  it('are ratios: of input in quota, of everything else to the price that it multiplies here', () => {
    const parameters = {
      model: 'openai/m',
      input_cost_per_token: 0.00000015,
      output_cost_per_token: '6e-7',
      cache_creation_input_token_cost: 0.0000003,
    }
    const info = {
      input_cost_per_token: 9,
      cache_read_input_token_cost: 0.000000075,
      input_cost_per_audio_token: 0.0000015,
      output_cost_per_audio_token: 0.000003,
    }
    expect(prices(deployment('m', parameters, info))).toEqual({
      ModelRatio: { m: 0.075 },
      CompletionRatio: { m: 4 },
      CacheRatio: { m: 0.5 },
      CreateCacheRatio: { m: 2 },
      AudioRatio: { m: 10 },
      AudioCompletionRatio: { m: 2 },
    })
  })

  it('are those of the vendor’s model where none is named, also under the name of another one', () => {
    const found = prices(
      deployment('fast', { model: 'openai/gpt-4o-mini' }),
      deployment('gpt-4o', { model: 'openai/gpt-4o-mini' }),
      deployment('gpt-4o-mini', { model: 'openai/gpt-4o-mini' }),
      deployment('unknown', { model: 'openai/nobody-knows-this' }),
    )
    const ratio = defaults.ModelRatio['gpt-4o-mini']
    expect(found).toMatchObject({
      ModelRatio: { fast: ratio, 'gpt-4o': ratio },
      CompletionRatio: { fast: 4, 'gpt-4o': 4 },
    })
  })

  it('of input alone leave output at the vendor’s price, and free where no list has one', () => {
    const half = ((defaults.ModelRatio['gpt-4o-mini'] ?? 0) / 500_000) * 0.5
    const found = prices(
      deployment('fast', { model: 'openai/gpt-4o-mini', input_cost_per_token: half }),
      deployment('gpt-4o-own', { model: 'openai/nobody-knows-this', input_cost_per_token: half }),
    )
    expect(found).toMatchObject({ CompletionRatio: { fast: 8, 'gpt-4o-own': 0 } })
  })

  it('of nothing make a model free, and not one of the list’s price', () => {
    const free = { model: 'openai/gpt-4o', input_cost_per_token: 0, output_cost_per_token: 0 }
    expect(prices(deployment('gpt-4o', free))).toEqual({ ModelRatio: { 'gpt-4o': 0 } })
  })

  it('that have no place are named, and so are several prices of one model', () => {
    const image = { model: 'openai/i', output_cost_per_image: 0.04, input_cost_per_token: 0.000001 }
    const outputOnly = { model: 'openai/o', output_cost_per_token: 0.000001 }
    const priced = (input_cost_per_token: number) =>
      deployment('twice', { model: 'openai/t', input_cost_per_token })
    const deployments = [
      deployment('i', image),
      deployment('o', outputOnly),
      priced(0.000001),
      priced(0.000002),
    ]
    expect(unplacedPrices(deployments).map(({ table, rows }) => [table, rows])).toEqual([
      ['price output_cost_per_image', 1],
      ['price output_cost_per_token', 1],
      ['price of twice', 2],
    ])
    expect(prices(...deployments)).toEqual({
      ModelRatio: { i: 0.5, twice: 1 },
      CompletionRatio: { i: 0, twice: 0 },
    })
  })
})
