import { Link } from '@tanstack/react-router'
import type { RefusedUser } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { FirstOf } from '../../components/ui/first-of.tsx'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { formatInteger } from '../../lib/format/format.ts'
import { actionLink, ProblemRow } from './channel-rows.tsx'

/** Users whose calls are refused because their balance does not cover them. */
export function DryUserRows({ users }: { readonly users: readonly RefusedUser[] }) {
  return (
    <FirstOf items={users} max={maxUsers} more={(count) => <OtherUsers count={count} />}>
      {(user) => <DryUserRow key={user.user_id} user={user} />}
    </FirstOf>
  )
}

/** Most users with a row of their own. */
const maxUsers = 5

function OtherUsers({ count }: { readonly count: number }) {
  const { t } = useTranslation('dashboard')
  return (
    <ProblemRow
      tone="warn"
      title={t('dryUser.more', { count })}
      action={
        <Link
          to="/log"
          search={{ range: '24h', reason: 'insufficient_user_quota', why: true }}
          className={actionLink}
        >
          {t('dryUser.show')}
        </Link>
      }
    />
  )
}

function DryUserRow({ user }: { readonly user: RefusedUser }) {
  const { t } = useTranslation('dashboard')
  const { user_id, username, quota, count, last_at } = user
  return (
    <ProblemRow
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
  )
}
