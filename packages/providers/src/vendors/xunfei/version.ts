import { pathSegment } from '../../endpoint-url.ts'
/** One version of the service: its path, and the name of its model there. */
export interface SparkVersion {
  readonly path: string
  readonly domain: string
  /** Set for a model that accepts functions. */
  readonly functions: boolean
  /** Set for a model with a role for instructions. */
  readonly system: boolean
}

/** https://www.xfyun.cn/doc/spark/Web.html */
const versions: Readonly<Record<string, SparkVersion>> = {
  'v1.1': { path: '/v1.1/chat', domain: 'lite', functions: false, system: false },
  'v2.1': { path: '/v2.1/chat', domain: 'generalv2', functions: false, system: false },
  'v3.1': { path: '/v3.1/chat', domain: 'generalv3', functions: true, system: false },
  'v3.1-128k': { path: '/chat/pro-128k', domain: 'pro-128k', functions: false, system: false },
  'v3.5': { path: '/v3.5/chat', domain: 'generalv3.5', functions: true, system: true },
  'v3.5-32k': { path: '/chat/max-32k', domain: 'max-32k', functions: false, system: true },
  'v4.0': { path: '/v4.0/chat', domain: '4.0Ultra', functions: true, system: true },
}

/** Names that do not say their version, in lower case. */
const named: Readonly<Record<string, string>> = {
  'spark-lite': 'v1.1',
  lite: 'v1.1',
  generalv2: 'v2.1',
  'spark-pro': 'v3.1',
  generalv3: 'v3.1',
  'spark-pro-128k': 'v3.1-128k',
  'pro-128k': 'v3.1-128k',
  'spark-max': 'v3.5',
  'generalv3.5': 'v3.5',
  'spark-max-32k': 'v3.5-32k',
  'max-32k': 'v3.5-32k',
  'spark-4.0-ultra': 'v4.0',
  '4.0ultra': 'v4.0',
}

/** The version for a channel that names none (operations §3.2). */
const standard = 'v2.1'

/** The version that the model's name says, else the channel's. */
export function versionOf(model: string, other: string): SparkVersion {
  const name = model.trim().toLowerCase()
  const inName = named[name] ?? /-(v\d+(?:\.\d+)?)$/.exec(name)?.[1]
  const version = inName ?? (other.trim().toLowerCase() || standard)
  return versions[version] ?? unknownVersion(version)
}

function unknownVersion(version: string): SparkVersion {
  return {
    path: `/${pathSegment(version)}/chat`,
    domain: `general${version}`,
    functions: true,
    system: true,
  }
}
