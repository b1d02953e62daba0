/** Groups of regions that Amazon Bedrock has inference profiles for. */
export type ProfileGroup = 'us' | 'us-gov' | 'eu' | 'apac' | 'jp' | 'au' | 'global'

/** A Claude model by the names that its hosts list. An absent name: the host has none, or does not say it. */
export interface ClaudeModel {
  /** Anthropic's API, and the name that prices and limits know. */
  readonly name: string
  /** Other names that Anthropic's API takes for it. */
  readonly aliases?: readonly string[]
  /** 406 for 4.6. */
  readonly generation: number
  /** Amazon Bedrock's id of the foundation model. */
  readonly bedrock?: string
  /** The groups that have a profile of it, the profile being the group, a dot and the id. */
  readonly profiles?: readonly ProfileGroup[]
  /** Vertex AI. */
  readonly vertex?: string
  /** The name that Microsoft Foundry gives a deployment unless the operator writes another. */
  readonly foundry?: string
}

/** Sources of the columns, with the day on which each was read. */
export const claudeModelSources = {
  name: ['https://platform.claude.com/docs/en/about-claude/models/overview', '2026-11-28'],
  bedrock: [
    'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html and the page of each model',
    '2026-11-28',
  ],
  vertex: ['https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai', '2026-11-28'],
  foundry: [
    'https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry',
    '2026-11-28',
  ],
} as const

/** Newest first. A new model is one entry: no name is made out of another. */
export const claudeModelTable: readonly ClaudeModel[] = [
  { name: 'claude-fable-5-2', generation: 502, foundry: 'claude-fable-5-2' },
  { name: 'claude-mythos-5-2', generation: 502 },
  {
    name: 'claude-haiku-5-5',
    generation: 505,
    bedrock: 'anthropic.claude-haiku-5-5',
    profiles: ['us', 'us-gov', 'eu', 'jp', 'au', 'global'],
    vertex: 'claude-haiku-5-5',
    foundry: 'claude-haiku-5-5',
  },
  {
    name: 'claude-sonnet-5-5',
    generation: 505,
    bedrock: 'anthropic.claude-sonnet-5-5',
    profiles: ['us', 'eu', 'jp', 'global'],
    vertex: 'claude-sonnet-5-5',
    foundry: 'claude-sonnet-5-5',
  },
  {
    name: 'claude-opus-5-5',
    generation: 505,
    bedrock: 'anthropic.claude-opus-5-5',
    profiles: ['us', 'eu', 'jp', 'au', 'global'],
    vertex: 'claude-opus-5-5',
    foundry: 'claude-opus-5-5',
  },
  {
    name: 'claude-fable-5-1',
    generation: 501,
    bedrock: 'anthropic.claude-fable-5-1',
    profiles: ['us', 'global'],
    vertex: 'claude-fable-5-1',
    foundry: 'claude-fable-5-1',
  },
  { name: 'claude-mythos-5-1', generation: 501, bedrock: 'anthropic.claude-mythos-5-1' },
  {
    name: 'claude-opus-5',
    generation: 500,
    bedrock: 'anthropic.claude-opus-5',
    profiles: ['us', 'eu', 'au', 'global'],
    vertex: 'claude-opus-5',
    foundry: 'claude-opus-5',
  },
  {
    name: 'claude-sonnet-5',
    generation: 500,
    bedrock: 'anthropic.claude-sonnet-5',
    profiles: ['us', 'eu', 'au', 'global'],
    vertex: 'claude-sonnet-5',
    foundry: 'claude-sonnet-5',
  },
  {
    name: 'claude-fable-5',
    generation: 500,
    bedrock: 'anthropic.claude-fable-5',
    profiles: ['us', 'global'],
    vertex: 'claude-fable-5',
    foundry: 'claude-fable-5',
  },
  { name: 'claude-mythos-5', generation: 500, bedrock: 'anthropic.claude-mythos-5' },
  { name: 'claude-mythos-preview', generation: 500, bedrock: 'anthropic.claude-mythos-preview' },
  {
    name: 'claude-opus-4-8',
    generation: 408,
    bedrock: 'anthropic.claude-opus-4-8',
    profiles: ['us', 'eu', 'jp', 'au', 'global'],
    vertex: 'claude-opus-4-8',
    foundry: 'claude-opus-4-8',
  },
  {
    name: 'claude-opus-4-7',
    generation: 407,
    bedrock: 'anthropic.claude-opus-4-7',
    profiles: ['us', 'eu', 'jp', 'au', 'global'],
    vertex: 'claude-opus-4-7',
    foundry: 'claude-opus-4-7',
  },
  {
    name: 'claude-opus-4-6',
    generation: 406,
    bedrock: 'anthropic.claude-opus-4-6-v1',
    profiles: ['us', 'eu', 'au', 'global'],
    vertex: 'claude-opus-4-6',
    foundry: 'claude-opus-4-6',
  },
  {
    name: 'claude-sonnet-4-6',
    generation: 406,
    bedrock: 'anthropic.claude-sonnet-4-6',
    profiles: ['us', 'eu', 'jp', 'au', 'global'],
    vertex: 'claude-sonnet-4-6',
    foundry: 'claude-sonnet-4-6',
  },
  {
    name: 'claude-opus-4-5-20251101',
    aliases: ['claude-opus-4-5'],
    generation: 405,
    bedrock: 'anthropic.claude-opus-4-5-20251101-v1:0',
    profiles: ['us', 'eu', 'global'],
    vertex: 'claude-opus-4-5@20251101',
    foundry: 'claude-opus-4-5',
  },
  {
    name: 'claude-haiku-4-5-20251001',
    aliases: ['claude-haiku-4-5'],
    generation: 405,
    bedrock: 'anthropic.claude-haiku-4-5-20251001-v1:0',
    profiles: ['us', 'eu', 'jp', 'au', 'global'],
    vertex: 'claude-haiku-4-5@20251001',
    foundry: 'claude-haiku-4-5',
  },
  {
    name: 'claude-sonnet-4-5-20250929',
    aliases: ['claude-sonnet-4-5'],
    generation: 405,
    bedrock: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
    profiles: ['us', 'us-gov', 'eu', 'jp', 'au', 'global'],
    vertex: 'claude-sonnet-4-5@20250929',
    foundry: 'claude-sonnet-4-5',
  },
  {
    name: 'claude-opus-4-1-20250805',
    aliases: ['claude-opus-4-1'],
    generation: 401,
    bedrock: 'anthropic.claude-opus-4-1-20250805-v1:0',
    profiles: ['us'],
    vertex: 'claude-opus-4-1@20250805',
    foundry: 'claude-opus-4-1',
  },
  {
    name: 'claude-opus-4-20250514',
    aliases: ['claude-opus-4-0'],
    generation: 400,
    bedrock: 'anthropic.claude-opus-4-20250514-v1:0',
    profiles: ['us'],
    vertex: 'claude-opus-4@20250514',
  },
  {
    name: 'claude-sonnet-4-20250514',
    aliases: ['claude-sonnet-4-0'],
    generation: 400,
    bedrock: 'anthropic.claude-sonnet-4-20250514-v1:0',
    profiles: ['us', 'eu', 'apac', 'global'],
    vertex: 'claude-sonnet-4@20250514',
  },
  {
    name: 'claude-3-7-sonnet-20250219',
    aliases: ['claude-3-7-sonnet-latest'],
    generation: 307,
    bedrock: 'anthropic.claude-3-7-sonnet-20250219-v1:0',
    profiles: ['us', 'us-gov', 'eu', 'apac'],
    vertex: 'claude-3-7-sonnet@20250219',
  },
  {
    name: 'claude-3-5-haiku-20241022',
    aliases: ['claude-3-5-haiku-latest'],
    generation: 305,
    bedrock: 'anthropic.claude-3-5-haiku-20241022-v1:0',
    profiles: ['us'],
    vertex: 'claude-3-5-haiku@20241022',
  },
  {
    name: 'claude-3-5-sonnet-20241022',
    aliases: ['claude-3-5-sonnet-latest'],
    generation: 305,
    bedrock: 'anthropic.claude-3-5-sonnet-20241022-v2:0',
    profiles: ['us', 'apac'],
    vertex: 'claude-3-5-sonnet-v2@20241022',
  },
  {
    name: 'claude-3-5-sonnet-20240620',
    generation: 305,
    bedrock: 'anthropic.claude-3-5-sonnet-20240620-v1:0',
    profiles: ['us', 'us-gov', 'eu', 'apac'],
    vertex: 'claude-3-5-sonnet@20240620',
  },
  {
    name: 'claude-3-opus-20240229',
    aliases: ['claude-3-opus-latest'],
    generation: 300,
    bedrock: 'anthropic.claude-3-opus-20240229-v1:0',
    profiles: ['us'],
    vertex: 'claude-3-opus@20240229',
  },
  {
    name: 'claude-3-sonnet-20240229',
    generation: 300,
    bedrock: 'anthropic.claude-3-sonnet-20240229-v1:0',
    profiles: ['us', 'eu', 'apac'],
    vertex: 'claude-3-sonnet@20240229',
  },
  {
    name: 'claude-3-haiku-20240307',
    generation: 300,
    bedrock: 'anthropic.claude-3-haiku-20240307-v1:0',
    profiles: ['us', 'us-gov', 'eu', 'apac'],
    vertex: 'claude-3-haiku@20240307',
  },
  { name: 'claude-2.1', generation: 201, bedrock: 'anthropic.claude-v2:1' },
  { name: 'claude-2.0', generation: 200, bedrock: 'anthropic.claude-v2' },
  { name: 'claude-instant-1.2', generation: 102, bedrock: 'anthropic.claude-instant-v1' },
]
