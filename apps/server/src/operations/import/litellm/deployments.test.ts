import { describe, expect, it } from 'bun:test'
import { sha256 } from '../../../lib/crypto.ts'
import { deploymentParameters } from './config-file.ts'
import { channelsOf, type Deployment } from './deployments.ts'

const environment = { OPENAI_KEY: 'sk-one', ANTHROPIC_API_KEY: 'sk-ant' }

function deployment(name: string, parameters: object): Deployment {
  return { name, parameters: deploymentParameters.parse(parameters), info: {}, isBlocked: false, faults: [] }
}

function channels(...deployments: readonly Deployment[]) {
  return channelsOf(deployments, { environment, hash: sha256, now: 7 })
}

describe('models of LiteLLM', () => {
  it('become one channel for each provider, key and address', () => {
    const key = { api_key: 'os.environ/OPENAI_KEY' }
    const rows = channels(
      deployment('fast', { model: 'openai/gpt-4o-mini', ...key }),
      deployment('gpt-4o', { model: 'gpt-4o', ...key }),
      deployment('fast', { model: 'openai/gpt-4.1-nano', ...key }),
      deployment('claude', { model: 'anthropic/claude-sonnet-4' }),
      deployment('away', {
        model: 'azure/mine',
        api_key: 'az',
        api_base: 'https://x.example',
        api_version: 'v1',
      }),
    )
    expect(
      rows.map((row) => 'value' in row && [row.value.type, row.value.keys, row.value.fields]),
    ).toMatchObject([
      [1, 'sk-one', { models: 'fast,gpt-4o', model_mapping: '{"fast":"gpt-4o-mini"}' }],
      [1, 'sk-one', { models: 'fast', model_mapping: '{"fast":"gpt-4.1-nano"}' }],
      [14, 'sk-ant', { models: 'claude', model_mapping: '{"claude":"claude-sonnet-4"}' }],
      [3, 'az', { models: 'away', base_url: 'https://x.example', other: 'v1' }],
    ])
    expect(rows.every((row) => !row.id.includes('sk-one'))).toBe(true)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  it('have the key of their type: Bedrock its three parts, Vertex the account', () => {
    const [bedrock, vertex] = channels(
      deployment('claude', {
        model: 'bedrock/anthropic.claude',
        aws_access_key_id: 'ak',
        aws_secret_access_key: 'sk',
        aws_region_name: 'eu-west-1',
      }),
      deployment('gemini', {
        model: 'vertex_ai/gemini-2.5-pro',
        vertex_credentials: { type: 'service_account' },
        vertex_location: 'us-central1',
      }),
    )
    expect(bedrock).toMatchObject({ value: { type: 33, keys: 'ak|sk|eu-west-1' } })
    expect(vertex).toMatchObject({
      value: { type: 41, keys: '{"type":"service_account"}', fields: { other: 'us-central1' } },
    })
  })

  it('say what is missing, and are disabled until it is there', () => {
    const [unset, unnamed] = channels(
      deployment('a', { model: 'openai/a', api_key: 'os.environ/NOT_SET' }),
      deployment('b', { model: 'groq/b' }),
    )
    expect(unset).toMatchObject({
      value: { status: 'disabled' },
      changes: [{ example: expect.stringContaining('NOT_SET is not set') }],
    })
    expect(unnamed).toMatchObject({
      value: { status: 'disabled' },
      changes: [{ example: expect.stringContaining('GROQ_API_KEY') }],
    })
  })

  it('are left out where this gateway has no such provider, or a name stands for many', () => {
    expect(
      channels(
        deployment('x', { model: 'sagemaker/x' }),
        deployment('*', { model: 'openai/*', api_key: 'k' }),
      ),
    ).toEqual([
      { id: 'model x', leftOut: { reason: 'its provider is not known here', example: 'x: sagemaker/x' } },
      { id: 'model *', leftOut: { reason: 'names with * are not known here', example: '*: openai/*' } },
    ])
  })
})
