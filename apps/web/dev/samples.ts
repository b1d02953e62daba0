import type { Token, TokenCreateBody } from '@tollgate/api'
import { tokenFields } from '@tollgate/api'
import { blankBody } from '../src/components/form/resource-form.ts'

const now = Math.floor(Date.now() / 1000)
const day = 86_400

/** The same figures at every start: a small generator with a fixed seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const tokenNames = [
  'Production API',
  'Claude Code',
  'Codex on laptop',
  'CI pipeline',
  'Staging',
  'Old mobile app',
  'Notebook',
  'Evaluation',
  '翻译服务',
  'Batch jobs',
  'Support bot',
  'Sandbox',
  'Partner A',
  'Partner B',
  'Nightly tests',
  'Data team',
  'Demo',
]

export function sampleTokens(): Token[] {
  const random = numbers(7)
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of sample values
  return tokenNames.map((name, index) => ({
    ...blankBody<TokenCreateBody>(tokenFields),
    id: index + 1,
    user_id: 1,
    key: Array.from(
      { length: 48 },
      () => 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'[Math.floor(random() * 56)],
    ).join(''),
    status: index === 5 ? 3 : index === 9 ? 4 : index % 6 === 4 ? 2 : 1,
    name,
    created_time: now - index * day * 3,
    accessed_time: now - index * 3600,
    expired_time: index % 3 === 0 ? -1 : now + (index - 5) * day,
    remain_quota: Math.floor(random() * 50_000_000),
    unlimited_quota: index % 4 === 1,
    used_quota: Math.floor(random() * 9_000_000),
    model_limits_enabled: index % 5 === 2,
    model_limits: index % 5 === 2 ? 'gpt-4o-mini,gpt-4o' : '',
    allow_ips: index % 7 === 3 ? '10.0.0.0/8\n192.168.1.4' : '',
    group: index % 4 === 3 ? 'vip' : '',
    DeletedAt: null,
  }))
}
