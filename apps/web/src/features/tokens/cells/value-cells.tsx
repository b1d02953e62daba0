import type { Token } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Money } from '../../../components/ui/money.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import { cx } from '../../../lib/cx.ts'
import { useUser } from '../../../lib/session.ts'
import { expiresSoon, neverExpires, stateOf, wasUsed } from '../token-state.ts'

export interface RemainingCellProps {
  readonly token: Token
  /** Leaves the muted figure out where there is no room. */
  readonly single: boolean
}

/** What the key may still spend. */
export function RemainingCell({ token, single }: RemainingCellProps) {
  const { t } = useTranslation('tokens')
  if (token.unlimited_quota) return <Tag tone="info">{t('quota.unlimited')}</Tag>
  return (
    <Money quota={token.remain_quota} single={single} className={cx(token.remain_quota <= 0 && 'text-bad')} />
  )
}

/** The key's own group; the account's where it has none. */
export function GroupCell({ group }: { readonly group: string }) {
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

export function LastUsedCell({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  if (!wasUsed(token)) return <span className="text-muted">{t('time.neverUsed')}</span>
  return <RelativeTime at={token.accessed_time} />
}

export function ExpiryCell({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  if (token.expired_time === neverExpires) return <span className="text-muted">{t('time.never')}</span>
  const warns = stateOf(token) === 'expired' || expiresSoon(token, Date.now() / 1000)
  return <RelativeTime at={token.expired_time} className={cx('figures', warns && 'text-warn')} />
}
