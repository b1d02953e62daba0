import { describe, expect, it } from 'bun:test'
import { claudeTraits, scanTopLevel } from '@tollgate/formats'
import { findClaudeModel } from '../families/claude/model-names.ts'
import { type ClaudeModel, claudeModelSources, claudeModelTable } from '../families/claude/models.ts'
import { claudeModels } from '../models/usual-models.ts'
import type { Target } from '../provider.ts'
import { providers } from '../registry.ts'
import { targetOf } from '../test-support/target.ts'

const providerOf = (id: string) => providers.find((provider) => provider.id === id)
const account = JSON.stringify({ project_id: 'p', client_email: 'a', private_key: 'b' })
const regions = {
  us: 'us-west-2',
  'us-gov': 'us-gov-west-1',
  eu: 'eu-central-1',
  jp: 'ap-northeast-1',
  au: 'ap-southeast-2',
  apac: 'ap-south-1',
  global: 'sa-east-1',
}

/** The name of a model in the address of a call, or in its body where the edits of the operation write it. */
function sentName(id: string, more: Partial<Target>): string {
  const provider = providerOf(id)
  const target = targetOf(id, more)
  const operation = provider?.operation('chat', target, 'anthropic-messages')
  expect(operation?.format).toBe('anthropic-messages')
  const body = { model: target.upstreamModel }
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 4)
  if (operation === undefined || !scan.ok) throw new Error('no operation')
  const written = new Map(operation.quirks?.({ text, scan, body }, target.upstreamModel, {}) ?? []).get(
    'model',
  )
  const { url } = operation.endpoint(target, { stream: false, query: '', headers: {} })
  const inAddress = /\/models?\/([^/:]+)[/:]/.exec(url)?.[1]
  return inAddress === undefined ? JSON.parse(written ?? text.slice(9, -1)) : decodeURIComponent(inAddress)
}

const bedrock = (upstreamModel: string, region: string, more: Partial<Target> = {}) =>
  sentName('aws', { upstreamModel, key: `k|${region}`, ...more })
const vertex = (upstreamModel: string, more: Partial<Target> = {}) =>
  sentName('vertex', { upstreamModel, key: account, ...more })
const resource = 'https://r.services.ai.azure.com'
const foundry = (upstreamModel: string, more: Partial<Target> = {}) => [
  sentName('azure-ai-foundry', { upstreamModel, baseUrl: resource, ...more }),
  sentName('anthropic', { upstreamModel, baseUrl: `${resource}/anthropic`, ...more }),
]

const callerNames = ({ name, aliases = [], vertex: atVertex }: ClaudeModel) => [
  name,
  ...aliases,
  ...(atVertex === undefined ? [] : [atVertex]),
]

/** The profile that a region of a group calls a model by. */
function prefixOf({ profiles = [] }: ClaudeModel, group: string): string {
  const asian = group === 'jp' || group === 'au' ? ['apac'] : []
  const nearest = group === 'us-gov' ? [group] : [...asian, group, 'global']
  const profile = nearest.find((each) => profiles.some((known) => known === each))
  return profile === undefined ? '' : `${profile}.`
}

describe.each(claudeModelTable.map((model) => [model.name, model] as const))('%s', (_, model) => {
  it('is called by Bedrock’s own id, with the profile of the region', () => {
    if (model.bedrock === undefined) return
    for (const name of callerNames(model))
      for (const [group, region] of Object.entries(regions))
        expect(bedrock(name, region)).toBe(`${prefixOf(model, group)}${model.bedrock}`)
  })

  it('is called by the names that Vertex AI and Foundry list', () => {
    for (const name of callerNames(model)) {
      if (model.vertex !== undefined) expect(vertex(name)).toBe(model.vertex)
      if (model.foundry !== undefined) expect(foundry(name)).toEqual([model.foundry, model.foundry])
    }
  })

  it('is listed by Bedrock under the name that callers use', () => {
    if (model.bedrock === undefined) return
    const listed = [model.bedrock, `${model.bedrock}:200k`].map((modelId) => ({ modelId }))
    expect(providerOf('aws')?.models?.decode({ modelSummaries: listed })).toEqual([model.name])
  })

  it('is known by its ids with a profile, and in ARNs', () => {
    if (model.bedrock === undefined) return
    const arn = `arn:aws:bedrock:us-east-1::foundation-model/${model.bedrock}`
    for (const id of [model.bedrock, `global.${model.bedrock}`, arn]) {
      expect(findClaudeModel(id)).toBe(model)
    }
  })
})

describe('the table of models', () => {
  it('has no name twice, and a source and a date for each column', () => {
    const names = claudeModelTable.flatMap(({ name, aliases = [] }) => [name, ...aliases])
    expect(new Set(names).size).toBe(names.length)
    for (const [source, read] of Object.values(claudeModelSources)) {
      expect(source).toStartWith('https://')
      expect(read).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
  })

  it('has every model that channels are offered', () => {
    const offered = claudeModels
      .trim()
      .split(/\s+/)
      .map((name) => name.replace(/-thinking$/, ''))
    for (const name of offered) expect([name, findClaudeModel(name)?.name]).not.toEqual([name, undefined])
  })

  it('says of generations what the format says of them', () => {
    for (const { name, generation } of claudeModelTable.filter(
      ({ name }) => name !== 'claude-mythos-preview',
    )) {
      expect([name, claudeTraits(name).structuredOutput]).toEqual([name, generation >= 405])
      expect([name, claudeTraits(name).sampling]).toEqual([name, generation < 407])
    }
  })
})

describe('a name that no host lists', () => {
  it('gets nothing but the prefix that every id of Bedrock has', () => {
    expect(bedrock('claude-opus-6', 'us-east-1')).toBe('anthropic.claude-opus-6')
    expect(vertex('claude-opus-6-20280101')).toBe('claude-opus-6-20280101')
    expect(foundry('my-claude')).toEqual(['my-claude', 'my-claude'])
  })

  it('is taken at the word of an operator who maps to it', () => {
    const isMapped = true
    expect(bedrock('claude-house', 'us-east-1', { isMapped })).toBe('claude-house')
    expect(foundry('claude-opus-4-5-20251101', { isMapped })).toEqual([
      'claude-opus-4-5-20251101',
      'claude-opus-4-5-20251101',
    ])
  })
})
