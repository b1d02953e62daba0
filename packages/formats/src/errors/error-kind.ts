import type { UpstreamErrorKind } from './upstream-error.ts'

/** What an error body says, whatever family it is of. */
export interface ErrorParts {
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string | null
}

/** Codes and types of OpenAI and its relatives, and AWS's exceptions; written without case and separators, which they differ in. */
const codeKinds = {
  invalidapikey: 'unauthorized',
  incorrectapikeyerror: 'unauthorized',
  accountdeactivated: 'unauthorized',
  authenticationerror: 'unauthorized',
  invalidauthenticationerror: 'unauthorized',
  invalidiamtoken: 'unauthorized',
  invalidclient: 'unauthorized',
  invalidgrant: 'unauthorized',
  unauthorizedclient: 'unauthorized',
  permissionerror: 'forbidden',
  permissiondeniederror: 'forbidden',
  accessdenied: 'forbidden',
  insufficientquota: 'quota',
  insufficientbalance: 'quota',
  billingnotactive: 'quota',
  billinghardlimitreached: 'quota',
  exceededcurrentquotaerror: 'quota',
  arrearage: 'quota',
  accountoverdueerror: 'quota',
  ratelimitexceeded: 'rate_limited',
  ratelimitreachederror: 'rate_limited',
  ratelimiterror: 'rate_limited',
  servicetiercapacityexceeded: 'rate_limited',
  engineoverloadederror: 'overloaded',
  overloadederror: 'overloaded',
  serveroverloaded: 'overloaded',
  modelnotfound: 'not_found',
  modelnotopen: 'not_found',
  resourcenotfounderror: 'not_found',
  deploymentnotfound: 'not_found',
  invalidendpointormodelnotfound: 'not_found',
  contentfilter: 'content_policy',
  contentpolicyviolation: 'content_policy',
  datainspectionfailed: 'content_policy',
  sensitivecontentdetected: 'content_policy',
  responsibleaipolicyviolation: 'content_policy',
  unrecognizedclientexception: 'unauthorized',
  invalidsignatureexception: 'unauthorized',
  expiredtokenexception: 'unauthorized',
  accessdeniedexception: 'forbidden',
  throttlingexception: 'rate_limited',
  servicequotaexceededexception: 'rate_limited',
  modelnotreadyexception: 'rate_limited',
  serviceunavailableexception: 'overloaded',
  resourcenotfoundexception: 'not_found',
  modeltimeoutexception: 'timeout',
  modelstreamerrorexception: 'upstream_bug',
  internalserverexception: 'upstream_bug',
  validationexception: 'bad_request',
  contextlengthexceeded: 'bad_request',
  unsupportedparameter: 'bad_request',
  unsupportedvalue: 'bad_request',
} as const satisfies Record<string, UpstreamErrorKind>

const kindOfCode: ReadonlyMap<string, UpstreamErrorKind> = new Map(Object.entries(codeKinds))

/**
 * Causes that the message alone shows. A pattern must match at the beginning of the message: the rest may quote the caller,
 * and a caller must not get a channel disabled by writing "incorrect API key" into a bad parameter.
 */
const kindOfMessage: readonly (readonly [UpstreamErrorKind, RegExp])[] = [
  [
    'unauthorized',
    /^(incorrect|invalid|expired|revoked)( or (incorrect|invalid|expired|revoked))? api[ _-]?key/i,
  ],
  [
    'unauthorized',
    /^(your |the )?api[ _-]?key (is |has )?(been )?(not valid|invalid|incorrect|expired|revoked|disabled)/i,
  ],
  [
    'quota',
    /^(sorry, )?((your|the) )?(account |credit )?(insufficient|balance|credits?|quota)\b.{0,40}(insufficient|too low|not enough|exhausted|exceeded|used up)/i,
  ],
  [
    'quota',
    /^(sorry, )?(insufficient (account )?(balance|quota|credits?|funds)|you exceeded your current quota|.{0,20}(余额不足|欠费))/i,
  ],
  ['quota', /^your .{0,40}(does not|doesn't) have any credits/i],
  ['not_found', /^(the )?model .{0,120}(does not exist|not found|not exist)/i],
  [
    'content_policy',
    /^.{0,60}(content policy|content management policy|safety system|content filter|inappropriate content)/i,
  ],
]

/** The kind of a failure by its code, its message and its status, in this order of trust. */
export function classifyFailure(status: number, parts: ErrorParts): UpstreamErrorKind {
  const byCode = kindOfCode.get(bare(parts.code)) ?? kindOfCode.get(bare(parts.type))
  if (byCode !== undefined) return byCode
  if (bare(parts.code).endsWith('ratelimitexceeded')) return 'rate_limited'
  // Volcengine says of what: `OutputImageSensitiveContentDetected`.
  if (bare(parts.code).endsWith('sensitivecontentdetected')) return 'content_policy'
  // A server in trouble says all sorts of things; only its status can be believed.
  const byMessage =
    status < 500 ? kindOfMessage.find(([, pattern]) => pattern.test(parts.message)) : undefined
  return byMessage?.[0] ?? kindOfStatus(status)
}

const statusKinds: Readonly<Record<number, UpstreamErrorKind>> = {
  401: 'unauthorized',
  402: 'quota',
  403: 'forbidden',
  404: 'not_found',
  408: 'timeout',
  410: 'not_found',
  425: 'rate_limited',
  429: 'rate_limited',
  503: 'overloaded',
  504: 'timeout',
  524: 'timeout',
  529: 'overloaded',
}

function kindOfStatus(status: number): UpstreamErrorKind {
  return statusKinds[status] ?? (status >= 400 && status < 500 ? 'bad_request' : 'upstream_bug')
}

/** The status that a failure means when the upstream sent none or a wrong one (200). */
export function statusOfKind(kind: UpstreamErrorKind): number {
  return kindStatuses[kind]
}

const kindStatuses = {
  bad_request: 400,
  unauthorized: 401,
  quota: 402,
  forbidden: 403,
  not_found: 404,
  timeout: 504,
  rate_limited: 429,
  upstream_bug: 502,
  overloaded: 503,
  content_policy: 400,
} as const satisfies Record<UpstreamErrorKind, number>

function bare(code: string): string {
  return code.toLowerCase().replace(/[^a-z0-9]/g, '')
}
