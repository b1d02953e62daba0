import { useQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { CardFoot, FullSecret, SecretCell } from '../../components/list/index.ts'
import { Money } from '../../components/ui/money.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { StatusDot, Tag } from '../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { cx } from '../../lib/cx.ts'
import { formatQuota } from '../../lib/format/format.ts'
import { relativeTime } from '../../lib/format/relative-time.ts'
import { secondsNow } from '../../lib/server-clock.ts'
import { useUser } from '../../lib/session/session.ts'
import { fullKey, fullKeysQuery } from './api.ts'
import { maskedKey, visibleKey } from './keys.ts'
import { expiresSoon, limitedModels, neverExpires, stateOf, toneOf, wasUsed } from './token-state.ts'

interface CellProps {
  readonly token: Token
}

/** The state: for how many models or how long still a key works, or why it does not. */
export function StatusCell({ token }: CellProps) {
  const { t, i18n } = useTranslation('tokens')
  const state = stateOf(token)
  const now = secondsNow()
  if (token.frozen_at !== 0)
    return (
      <span data-tooltip={token.freeze_note} title={t(`frozen.${token.freeze_cause || 'administrator'}`)}>
        <StatusDot tone="bad">{t('state.frozen')}</StatusDot>
      </span>
    )
  if (expiresSoon(token, now)) {
    const distance = relativeTime(token.expired_time, now, i18n.language)
    return <StatusDot tone="warn">{t('state.expiresSoon', { distance })}</StatusDot>
  }
  const models = limitedModels(token)
  if (state !== 'enabled' || !models) return <StatusDot tone={toneOf(state)}>{t(`state.${state}`)}</StatusDot>
  if (models.length === 0) return <StatusDot tone="warn">{t('state.noModels')}</StatusDot>
  return (
    <span data-tooltip={models.join('\n')} title={t('state.restricted')}>
      <StatusDot tone={toneOf(state)}>{t('state.enabledModels', { count: models.length })}</StatusDot>
    </span>
  )
}

export function KeyCell({ token }: CellProps) {
  const { t } = useTranslation('tokens')
  const { name } = token
  return (
    <SecretCell
      masked={maskedKey(token)}
      label={t('key.of', { name })}
      revealLabel={t('key.reveal', { name })}
      copyLabel={t('key.copyOf', { name })}
      copied={() => fullKey(token)}
    >
      <FullKey token={token} />
    </SecretCell>
  )
}

function FullKey({ token }: CellProps) {
  const { t } = useTranslation('tokens')
  return (
    <QueryBoundary query={useQuery(fullKeysQuery([token]))}>
      {([full = token]) => <FullSecret secret={visibleKey(full)} copyLabel={t('key.copy')} />}
    </QueryBoundary>
  )
}

/** The remaining quota of the key; `single` leaves the muted figure out where there is no room. */
export function RemainingCell({ token, single }: CellProps & { readonly single: boolean }) {
  const { t } = useTranslation('tokens')
  if (token.unlimited_quota) return <Tag tone="info">{t('quota.unlimited')}</Tag>
  return (
    <Money quota={token.remain_quota} single={single} className={cx(token.remain_quota <= 0 && 'text-bad')} />
  )
}

/** The key's own group; the account's where it has none. */
export function GroupCell({ token: { group } }: CellProps) {
  const { t } = useTranslation('tokens')
  const own = useUser()?.group || 'default'
  if (group !== '') return <Tag className="max-w-28">{group}</Tag>
  return (
    <span
      className="inline-block max-w-28 truncate align-bottom text-muted"
      title={t('group.inherited', { group: own })}
    >
      {own}
    </span>
  )
}

export function LastUsedCell({ token }: CellProps) {
  const { t } = useTranslation('tokens')
  if (!wasUsed(token)) return <span className="text-muted">{t('time.neverUsed')}</span>
  return <RelativeTime at={token.accessed_time} />
}

export function ExpiryCell({ token }: CellProps) {
  const { t } = useTranslation('tokens')
  if (token.expired_time === neverExpires) return <span className="text-muted">{t('time.never')}</span>
  const warns = stateOf(token) === 'expired' || expiresSoon(token, secondsNow())
  return <RelativeTime at={token.expired_time} upcoming className={cx('figures', warns && 'text-warn')} />
}

/** Shows on a phone, beside the buttons, the remaining and used quota, and the key to copy. */
export function CardFacts({ token }: CellProps) {
  const { t } = useTranslation('tokens')
  const display = useMoneyDisplay()
  const left = token.unlimited_quota
    ? t('quota.unlimited')
    : t('card.left', { amount: formatQuota(token.remain_quota, display) })
  return (
    <CardFoot
      facts={`${left} · ${t('card.used', { amount: formatQuota(token.used_quota, display) })}`}
      secret={maskedKey(token)}
      copy={{ value: () => fullKey(token), label: t('key.copyOf', { name: token.name }) }}
    />
  )
}
