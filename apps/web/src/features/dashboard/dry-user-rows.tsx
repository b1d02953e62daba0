import { Link } from '@tanstack/react-router'
import type { RefusedUser } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { formatInteger } from '../../lib/format/format.ts'
import { actionLink, ProblemRow } from './channel-rows.tsx'

/** Users whose calls are refused because their balance does not cover them. */
export function DryUserRows({ users }: { readonly users: readonly RefusedUser[] }) {
  const { t } = useTranslation('dashboard')
  return users.map(({ user_id, username, quota, count, last_at }) => (
    <ProblemRow
      key={user_id}
      tone="warn"
      title={username}
      word={t('dryUser.word')}
      action={
        <Link to="/user/edit/$id" params={{ id: String(user_id) }} className={actionLink}>
          {t('dryUser.addBalance')}
        </Link>
      }
    >
      {t('unpriced.refused', { count, visible: formatInteger(count) })} <RelativeTime at={last_at} /> ·{' '}
      {t('dryUser.balance')} <Money quota={quota} single />
    </ProblemRow>
  ))
}
