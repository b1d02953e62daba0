import { describe, expect, it } from 'bun:test'
import { scanTopLevel } from '@tollgate/formats'
import type { RelayMode, Target } from '../../provider.ts'
import { azure } from './index.ts'

const base = 'https://res.openai.azure.com'
const target: Target = {
  baseUrl: base,
  key: 'k-1',
  upstreamModel: 'gpt-4.1-mini',
  openaiOrganization: '',
  other: '',
}

function operation(more: Partial<Target> = {}, mode: RelayMode = 'chat') {
  const found = azure.operation(mode, { ...target, ...more }, 'openai-chat')
  if (found === undefined) throw new Error(`no ${mode}`)
  return found
}
const url = (more: Partial<Target> = {}, mode: RelayMode = 'chat', query = '') =>
  operation(more, mode).endpoint({ ...target, ...more }, { stream: false, query, headers: {} }).url

describe('azure', () => {
  it.each([
    ['chat', 'chat/completions'],
    ['completions', 'completions'],
    ['embeddings', 'embeddings'],
  ] as const)('serves %s at the deployment', (mode, path) => {
    expect(url({}, mode)).toBe(
      `${base}/openai/deployments/gpt-4.1-mini/${path}?api-version=2024-12-01-preview`,
    )
  })

  it('takes dots out of names where the channel asks for it, but not out of those that the operator mapped to', () => {
    const stripsDeploymentDots = true
    expect(url({ stripsDeploymentDots })).toContain('/deployments/gpt-41-mini/')
    expect(url({ upstreamModel: 'my.own', isMapped: true, stripsDeploymentDots })).toContain('/my.own/')
    expect(url({ upstreamModel: 'gpt-3.5-turbo' })).toContain('/deployments/gpt-35-turbo/')
    expect(url({ upstreamModel: 'gpt-3.5-turbo', isMapped: true })).toContain('/deployments/gpt-3.5-turbo/')
    expect(url({ upstreamModel: 'o3-mini-high' })).toContain('/deployments/o3-mini/')
    expect(url({ upstreamModel: '../x' })).toContain('/deployments/..%2Fx/')
  })

  it('names the deployment in the body as in the address', () => {
    const text = '{"model":"m"}'
    const scan = scanTopLevel(text, 64)
    if (!scan.ok) throw new Error(scan.reason)
    const request = { text, body: { model: 'm' }, scan }
    const edits = (more: Partial<Target>, wanted: 'openai-chat' | 'openai-responses') => {
      const found = azure.operation('chat', { ...target, ...more }, wanted)
      return found?.quirks?.(request, more.upstreamModel ?? target.upstreamModel, {}).get('model')
    }
    const strips = { stripsDeploymentDots: true }
    expect(edits({}, 'openai-responses')).toBeUndefined()
    expect(edits(strips, 'openai-responses')).toBe('"gpt-41-mini"')
    expect(edits({ ...strips, upstreamModel: 'gpt-5.1-high' }, 'openai-responses')).toBe('"gpt-51"')
    expect(edits({ ...strips, isMapped: true }, 'openai-responses')).toBeUndefined()
    expect(edits({ ...strips, other: 'v1' }, 'openai-chat')).toBe('"gpt-41-mini"')
    expect(edits({ other: 'v1' }, 'openai-chat')).toBeUndefined()
  })

  it('speaks Responses without a date, whatever version the channel names', () => {
    const call = { stream: false, query: '', headers: {} }
    const responsesUrl = (more: Partial<Target>) => {
      const found = azure.operation('chat', { ...target, ...more }, 'openai-responses')
      return found?.format === 'openai-responses'
        ? found.endpoint({ ...target, ...more }, call).url
        : undefined
    }
    for (const other of ['', '2024-06-01', 'v1'])
      expect(responsesUrl({ other })).toBe(`${base}/openai/v1/responses`)
    expect(responsesUrl({ other: 'preview' })).toBe(`${base}/openai/v1/responses?api-version=preview`)
    expect(operation({ upstreamModel: 'gpt-5-codex' }).format).toBe('openai-responses')
    const baseUrl = 'https://gateway.ai.cloudflare.com/v1/acc/gw/azure-openai/res'
    expect(responsesUrl({ baseUrl })).toBeUndefined()
    expect(operation({ baseUrl, upstreamModel: 'gpt-5-codex' }).format).toBe('openai-chat')
  })

  it("takes the version from the caller's query, else from the free field", () => {
    expect(url({ other: ' 2025-04-01-preview ' })).toEndWith('?api-version=2025-04-01-preview')
    expect(url({}, 'chat', '?a=b&api-version=2024-10-21')).toEndWith('?api-version=2024-10-21')
  })

  it('speaks to the surface without dates where the free field says so', () => {
    expect(url({ other: 'v1' })).toBe(`${base}/openai/v1/chat/completions`)
    expect(url({ other: 'preview' })).toBe(`${base}/openai/v1/chat/completions?api-version=preview`)
    expect(url({ other: 'v1', baseUrl: `${base}/openai/v1` })).toBe(`${base}/openai/v1/chat/completions`)
  })

  it("knows Cloudflare's gateway", () => {
    const baseUrl = 'https://gateway.ai.cloudflare.com/v1/acc/gw/azure-openai/res'
    expect(url({ baseUrl })).toBe(`${baseUrl}/gpt-4.1-mini/chat/completions?api-version=2024-12-01-preview`)
  })

  it('sends stream_options to versions that know it', () => {
    for (const other of ['', 'v1', 'preview', '2024-09-01-preview', '2024-10-21'])
      expect(operation({ other }).streamOptions).toBe(true)
    for (const other of ['2024-06-01', '2023-05-15']) expect(operation({ other }).streamOptions).toBe(false)
  })

  it('has resource keys in a header of their own, and Entra tokens as bearer tokens', () => {
    const { credential } = azure
    const headers = (key: string) => credential.kind === 'headers' && credential.headers({ ...target, key })
    expect(headers('k-1')).toEqual({ 'api-key': 'k-1' })
    expect(headers('eyJ0.x.y')).toEqual({ authorization: 'Bearer eyJ0.x.y' })
  })

  it('lists what can be deployed', () => {
    expect(azure.models?.endpoint(target)?.url).toBe(`${base}/openai/models?api-version=2024-10-21`)
    expect(azure.models?.endpoint({ ...target, other: 'v1' })?.url).toBe(`${base}/openai/v1/models`)
    expect(azure.models?.decode({ data: [{ id: 'gpt-4.1' }] })).toEqual(['gpt-4.1'])
  })
})
