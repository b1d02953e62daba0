/** Credentials of a client. */
export type Credential =
  /** An access token alone, or with the header that names its user. */
  | 'token'
  | 'token and user'
  /** The same, with the user headers of related gateways beside. */
  | 'token and related users'
  | 'key'
  | 'key in query'
  | 'none'

/** Types that a client expects of a response's members. */
export type MemberType =
  | 'string'
  | 'number'
  | 'boolean'
  | 'array'
  | 'object'
  /** It must not be there: the client would read the answer in another form. */
  | 'undefined'

/** One call that a client makes, and the members of its answer that the client reads. */
export interface RecordedCall {
  readonly client: string
  /** A released version, or a commit of the repository. */
  readonly version: string
  readonly source: string
  readonly as: Credential
  readonly request: string
  readonly body?: object
  /** Members by their paths: `0` is the first row of a list. */
  readonly reads: Readonly<Record<string, MemberType>>
}

interface Client {
  readonly client: string
  readonly version: string
  readonly repository: string
}

type Row = readonly [request: string, reads: RecordedCall['reads'], body?: object]

/** The calls of one client's source file, by one credential. `{name}` is a value of the gateway under test. */
function callsOf(client: Client, file: string, as: Credential, rows: readonly Row[]): RecordedCall[] {
  const { repository, ...who } = client
  const source = `${repository} ${file}`
  return rows.map(([request, reads, body]) => ({ ...who, source, as, request, reads, ...(body && { body }) }))
}

const done = { success: 'boolean', message: 'string' } as const
const page = {
  success: 'boolean',
  'data.items': 'array',
  'data.total': 'number',
  'data.page': 'number',
  'data.page_size': 'number',
} as const
const tokenRow = {
  'data.items.0.id': 'number',
  'data.items.0.name': 'string',
  'data.items.0.key': 'string',
  'data.items.0.status': 'number',
  'data.items.0.used_quota': 'number',
  'data.items.0.remain_quota': 'number',
  'data.items.0.unlimited_quota': 'boolean',
  'data.items.0.expired_time': 'number',
  'data.items.0.created_time': 'number',
  'data.items.0.accessed_time': 'number',
} as const
const channelRow = {
  'data.items.0.id': 'number',
  'data.items.0.name': 'string',
  'data.items.0.type': 'number',
  'data.items.0.status': 'number',
  'data.items.0.balance': 'number',
  'data.items.0.models': 'string',
  'data.items.0.group': 'string',
  'data.items.0.priority': 'number',
  'data.items.0.weight': 'number',
  'data.items.0.response_time': 'number',
  'data.items.0.used_quota': 'number',
} as const
const logRow = {
  'data.items.0.id': 'number',
  'data.items.0.created_at': 'number',
  'data.items.0.type': 'number',
  'data.items.0.token_name': 'string',
  'data.items.0.model_name': 'string',
  'data.items.0.quota': 'number',
  'data.items.0.prompt_tokens': 'number',
  'data.items.0.completion_tokens': 'number',
  'data.items.0.use_time': 'number',
  'data.items.0.is_stream': 'boolean',
  'data.items.0.group': 'string',
} as const
const stat = { 'data.quota': 'number', 'data.rpm': 'number', 'data.tpm': 'number' } as const
const pricing = {
  success: 'boolean',
  'data.0.model_name': 'string',
  'data.0.quota_type': 'number',
  'data.0.model_ratio': 'number',
  'data.0.model_price': 'number',
  'data.0.completion_ratio': 'number',
  'data.0.enable_groups': 'array',
  'data.0.supported_endpoint_types': 'array',
  group_ratio: 'object',
  usable_group: 'object',
} as const
const subscription = { hard_limit_usd: 'number' } as const
const usage = { total_usage: 'number' } as const
const newKey = { name: 'of a client', expired_time: -1, unlimited_quota: true, model_limits_enabled: false }
const channel = {
  name: 'of a client',
  type: 1,
  key: 'sk-of-a-client-0001',
  models: 'gpt-4o',
  group: 'default',
}

const newApiPython: Client = { client: 'newapi-python', version: '0.3.0', repository: 'pypi newapi-python' }
const newApiMcp: Client = {
  client: 'newapi-mcp',
  version: '0268e49613d8',
  repository: 'github Ricardowindoy/mcp_newapi',
}
const oneApiCli: Client = { client: 'one-api-cli', version: '1.0.0', repository: 'pypi one-api-cli' }
const newApiSync: Client = {
  client: 'new-api-sync',
  version: '1288b1c0bc35',
  repository: 'github unorouter/new-api-sync',
}
const nekoKeyTool: Client = {
  client: 'neko key tool',
  version: '149d50a7e99f',
  repository: 'github Calcium-Ion/neko-api-key-tool',
}
const allApiHub: Client = {
  client: 'All API Hub',
  version: '0eae561ed208',
  repository: 'github qixing-jk/all-api-hub',
}
const oneApi: Client = {
  client: "one-api's front end",
  version: '0f205a3aa3ef',
  repository: 'github songquanpeng/one-api',
}
const creditLogger: Client = {
  client: 'newapi_credit_logger',
  version: '0318792f0d00',
  repository: 'github mosliu/newapi_credit_logger',
}
const nextChat: Client = {
  client: 'NextChat',
  version: '5af9d072c10a',
  repository: 'github ChatGPTNextWeb/NextChat',
}

/** Calls of public clients, from their sources in November 2026. Clients that read `success` or `message` read it in every answer. */
export const recordedCalls: readonly RecordedCall[] = [
  ...callsOf(newApiPython, 'newapi/_resources.py', 'token and user', [
    [
      'GET /api/user/self',
      { success: 'boolean', 'data.quota': 'number', 'data.used_quota': 'number', 'data.aff_quota': 'number' },
    ],
    ['GET /api/user/self/models', { success: 'boolean', data: 'array', 'data.0': 'string' }],
    ['GET /api/user/self/models?group=default', { success: 'boolean', data: 'array', 'data.0': 'string' }],
    ['GET /api/user/self/groups', { success: 'boolean', 'data.default': 'object' }],
    ['GET /api/token/?p=1&page_size=20', { ...page, ...tokenRow }],
    ['GET /api/token/search?keyword=the&p=1&page_size=20', { ...page, ...tokenRow }],
    ['GET /api/token/{token}', { success: 'boolean', 'data.id': 'number', 'data.group': 'string' }],
    ['POST /api/token/{token}/key', { success: 'boolean', 'data.key': 'string' }],
    [
      'POST /api/token/batch/keys',
      { success: 'boolean', 'data.keys.{token}': 'string' },
      { ids: ['{token}'] },
    ],
    [
      'POST /api/token/',
      { success: 'boolean' },
      {
        ...newKey,
        remain_quota: 500000,
        model_limits: '',
        allow_ips: null,
        group: '',
        cross_group_retry: false,
      },
    ],
    [
      'PUT /api/token/?status_only=true',
      { success: 'boolean', 'data.status': 'number' },
      { id: '{token}', status: 1 },
    ],
    ['POST /api/token/batch', { success: 'boolean', data: 'number' }, { ids: ['{spareToken}'] }],
    ['GET /api/log/self?p=1&page_size=20&type=2', { ...page, ...logRow }],
    ['GET /api/log/self/stat?type=2', { success: 'boolean', ...stat }],
    ['GET /api/data/self?start_timestamp={from}&end_timestamp={to}', { success: 'boolean', data: 'array' }],
    [
      'GET /api/user/topup/info',
      { success: 'boolean', data: 'object', 'data.enable_online_topup': 'boolean' },
    ],
    ['GET /api/user/topup/self?p=1&page_size=20', page],
    ['POST /api/user/amount', { success: 'undefined', message: 'string', data: 'string' }, { amount: 10 }],
    [
      'POST /api/user/pay',
      { success: 'undefined', message: 'string', url: 'string', data: 'object' },
      { amount: 10, payment_method: 'zfb' },
    ],
    ['POST /api/user/topup', { success: 'boolean', data: 'number' }, { key: '{code}' }],
  ]),
  ...callsOf(newApiPython, 'newapi/_client.py', 'none', [
    ['GET /api/status', { success: 'boolean', 'data.quota_per_unit': 'number' }],
    ['GET /api/notice', { success: 'boolean', data: 'string' }],
    ['GET /api/about', { success: 'boolean', data: 'string' }],
  ]),
  ...callsOf(newApiMcp, 'internal/newapi', 'token', [
    ['GET /api/channel/?p=1&page_size=100', { ...page, ...channelRow }],
    ['GET /api/channel/?p=1&page_size=100&status=1', { ...page, ...channelRow }],
    [
      'GET /api/channel/{channel}',
      { success: 'boolean', 'data.id': 'number', 'data.models': 'string', 'data.group': 'string' },
    ],
    ['POST /api/channel/', { success: 'boolean' }, { mode: 'single', channel }],
    ['PUT /api/channel/', { success: 'boolean' }, { id: '{channel}', priority: 3 }],
    ['POST /api/channel/{channel}/status', { success: 'boolean', data: 'boolean' }, { status: 1 }],
    ['GET /api/channel/test/{channel}', { ...done, time: 'number' }],
    ['PUT /api/channel/tag', { success: 'boolean' }, { tag: 'of-a-client', priority: 3 }],
    ['POST /api/channel/tag/enabled', { success: 'boolean' }, { tag: 'of-a-client' }],
    ['DELETE /api/channel/{spareChannel}', { success: 'boolean' }],
    ['GET /api/token/?p=1&page_size=20', { ...page, ...tokenRow }],
    ['GET /api/token/search?keyword=the&p=1&page_size=10', { ...page, ...tokenRow }],
    [
      'GET /api/log/?p=1&page_size=20&type=2',
      {
        ...page,
        ...logRow,
        'data.items.0.username': 'string',
        'data.items.0.channel': 'number',
        'data.items.0.channel_name': 'string',
        'data.items.0.content': 'string',
      },
    ],
    ['GET /api/log/?p=1', { ...page, 'data.items.0.id': 'number' }],
    ['GET /api/log/stat?type=0&start_timestamp={from}&end_timestamp={to}', { success: 'boolean', ...stat }],
    [
      'GET /api/data/?start_timestamp={from}&end_timestamp={to}&default_time=custom',
      {
        success: 'boolean',
        'data.0.model_name': 'string',
        'data.0.token_used': 'number',
        'data.0.count': 'number',
        'data.0.quota': 'number',
      },
    ],
    ['GET /api/status', { success: 'boolean', data: 'object' }],
    ['GET /api/pricing', pricing],
  ]),
  ...callsOf(oneApiCli, 'one_api_cli/auth.py', 'token', [
    ['GET /api/status', { success: 'boolean' }],
    ['GET /api/channel/?p=0', { data: 'array', 'data.0.id': 'number', 'data.0.name': 'string' }],
    ['GET /api/channel?p=1', { data: 'array' }],
    [
      'POST /api/channel',
      done,
      {
        ...channel,
        base_url: '{upstream}',
        other: '',
        model_mapping: '',
        groups: ['default'],
        config: '{}',
        is_edit: false,
      },
    ],
    [
      'POST /api/user',
      done,
      {
        username: 'newcomer',
        display_name: 'newcomer',
        password: 'a long enough word',
        group: 'default',
        quota: 0,
        is_edit: false,
      },
    ],
    ['POST /api/user/manage', done, { username: 'newcomer', action: 'delete' }],
  ]),
  ...callsOf(oneApiCli, 'one_api_cli/channel.py, account.py', 'token', [
    ['GET /api/channel/{channel}', { ...done, 'data.id': 'number', 'data.name': 'string' }],
    ['GET /api/user/{user}', { ...done, 'data.id': 'number', 'data.username': 'string' }],
  ]),
  ...callsOf(newApiSync, 'src/clients/newapi-client.ts', 'none', [['GET /api/pricing', pricing]]),
  ...callsOf(newApiSync, 'src/clients/newapi-client.ts, upstream-client.ts', 'token and user', [
    ['GET /api/user/self', { success: 'boolean', 'data.quota': 'number', 'data.used_quota': 'number' }],
    ['GET /api/token/?p=0&page_size=100', { success: 'boolean', ...tokenRow }],
    ['GET /api/token/?p=0&page_size=1000', { success: 'boolean', ...tokenRow }],
    ['POST /api/token/', { success: 'boolean' }, { ...newKey, group: 'default' }],
  ]),
  ...callsOf(newApiSync, 'src/clients/target-client.ts', 'token and user', [
    ['POST /api/channel/', { success: 'boolean', 'data.id': 'number' }, { mode: 'single', channel }],
    ['POST /api/channel/', { success: 'boolean', 'data.id': 'number' }, channel],
    ['PUT /api/channel/', { success: 'boolean' }, { id: '{channel}', ...channel, name: 'the channel' }],
  ]),
  ...callsOf(newApiSync, 'src/clients/newapi-client.ts', 'key', [
    [
      'POST /v1/chat/completions',
      { choices: 'array' },
      { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], max_tokens: 1 },
    ],
  ]),
  ...callsOf(nekoKeyTool, 'src/components/LogsTable.js', 'key', [
    ['GET /v1/dashboard/billing/subscription', subscription],
    ['GET /v1/dashboard/billing/usage?start_date=2026-8-1&end_date=2026-11-9', usage],
  ]),
  ...callsOf(nekoKeyTool, 'src/components/LogsTable.js', 'key in query', [
    [
      'GET /api/log/token?key={key}',
      {
        ...done,
        data: 'array',
        'data.0.created_at': 'number',
        'data.0.type': 'number',
        'data.0.token_name': 'string',
        'data.0.model_name': 'string',
        'data.0.use_time': 'number',
        'data.0.is_stream': 'boolean',
        'data.0.prompt_tokens': 'number',
        'data.0.completion_tokens': 'number',
        'data.0.quota': 'number',
        'data.0.content': 'string',
        'data.0.other': 'string',
      },
    ],
  ]),
  ...callsOf(allApiHub, 'src/services/apiService/common/index.ts', 'token and related users', [
    [
      'GET /api/user/self',
      { success: 'boolean', 'data.id': 'number', 'data.username': 'string', 'data.quota': 'number' },
    ],
    [
      'GET /api/channel/search?keyword=the',
      { success: 'boolean', 'data.items': 'array', 'data.total': 'number', 'data.items.0.id': 'number' },
    ],
    ['GET /api/channel/?p=1&page_size=100', { success: 'boolean', 'data.total': 'number', ...channelRow }],
    [
      'POST /api/channel/',
      { success: 'boolean' },
      { mode: 'single', channel: { ...channel, groups: ['default'] } },
    ],
    ['PUT /api/channel/', { success: 'boolean' }, { id: '{channel}', models: 'gpt-4o', model_mapping: '' }],
    ['GET /api/channel/fetch_models/{channel}', { success: 'boolean', data: 'array' }],
    [
      'GET /api/log/self?p=1&page_size=100&token_name=&model_name=&start_timestamp={from}&end_timestamp={to}&type=2&group=',
      {
        ...page,
        'data.items.0.quota': 'number',
        'data.items.0.prompt_tokens': 'number',
        'data.items.0.completion_tokens': 'number',
        'data.items.0.content': 'string',
      },
    ],
    [
      'GET /api/log/self/stat?p=1&page_size=100&token_name=&model_name=&start_timestamp={from}&end_timestamp={to}&type=2&group=',
      { success: 'boolean', 'data.quota': 'number' },
    ],
    [
      'GET /api/token/?p=0&size=100',
      { success: 'boolean', data: 'array', 'data.0.id': 'number', 'data.0.key': 'string' },
    ],
    ['GET /api/token/{token}', { success: 'boolean', 'data.key': 'string' }],
    ['POST /api/token/{token}/key', { success: 'boolean', 'data.key': 'string' }],
    ['GET /api/user/models', { success: 'boolean', data: 'array' }],
    [
      'GET /api/user/self/groups',
      { success: 'boolean', 'data.default.ratio': 'number', 'data.default.desc': 'string' },
    ],
    ['GET /api/group', { success: 'boolean', data: 'array', 'data.0': 'string' }],
    ['GET /api/pricing', pricing],
  ]),
  ...callsOf(allApiHub, 'src/services/apiService/common/index.ts', 'none', [
    ['GET /api/status', { success: 'boolean', 'data.price': 'number' }],
    ['GET /api/notice', { success: 'boolean', data: 'string' }],
  ]),
  ...callsOf(oneApi, 'web/default/src/components/TokensTable.js', 'token', [
    [
      'GET /api/token/?p=0&order=',
      {
        ...done,
        data: 'array',
        'data.0.id': 'number',
        'data.0.status': 'number',
        'data.0.used_quota': 'number',
        'data.0.remain_quota': 'number',
        'data.0.created_time': 'number',
        'data.0.expired_time': 'number',
        'data.0.key': 'string',
      },
    ],
    ['GET /api/token/search?keyword=the', { ...done, data: 'array', 'data.0.id': 'number' }],
    ['PUT /api/token/?status_only=true', { ...done, 'data.status': 'number' }, { id: '{token}', status: 1 }],
  ]),
  ...callsOf(creditLogger, 'app/services/providers/newapi_provider.py', 'token', [
    ['GET /api/user/self', { 'data.quota': 'number', 'data.used_quota': 'number' }],
  ]),
  ...callsOf(nextChat, 'app/client/platforms/openai.ts', 'key', [
    ['GET /dashboard/billing/usage?start_date=2026-11-01&end_date=2026-11-30', usage],
    ['GET /dashboard/billing/subscription', subscription],
    ['GET /v1/models', { data: 'array', 'data.0.id': 'string' }],
  ]),
  // Key checkers of the family look up a balance here: github QuantumNous/new-api controller/token.go has the answer.
  ...callsOf(
    { client: 'balance look-ups', version: '00a1c00a4ddb', repository: 'github QuantumNous/new-api' },
    'controller/token.go',
    'key',
    [
      [
        'GET /api/usage/token/',
        {
          code: 'boolean',
          message: 'string',
          'data.object': 'string',
          'data.name': 'string',
          'data.total_granted': 'number',
          'data.total_used': 'number',
          'data.total_available': 'number',
          'data.unlimited_quota': 'boolean',
          'data.model_limits': 'object',
          'data.model_limits_enabled': 'boolean',
          'data.expires_at': 'number',
        },
      ],
    ],
  ),
]
