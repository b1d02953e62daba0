import { Link } from '@tanstack/react-router'
import { type KeyBrief, tokenStatuses } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import type { ExpiringKey } from './expiring-keys.ts'
import { actionLink, ProblemRow } from './problem-row.tsx'

/** Why programs can no longer use a key, in the order of the rows. */
export const unusable = ['frozen', 'exhausted', 'expired'] as const
type Unusable = (typeof unusable)[number]
const toneOf = { frozen: 'bad', exhausted: 'bad', expired: 'warn' } as const satisfies Record<
  Unusable,
  string
>
/** Filter of the list that has them; frozen keys are marked there. */
const statusOf = {
  frozen: undefined,
  exhausted: tokenStatuses.exhausted,
  expired: tokenStatuses.expired,
} as const satisfies Record<Unusable, number | undefined>

interface UnusableKey {
  readonly key: KeyBrief
  readonly state: Unusable
}

/** Keys that programs can no longer use. */
export function KeyRows({ keys }: { readonly keys: readonly UnusableKey[] }) {
  const { t } = useTranslation('dashboard')
  return keys.map(({ key, state }) => (
    <ProblemRow
      key={key.id}
      tone={toneOf[state]}
      title={key.name}
      word={t(`key.${state}`)}
      action={<EditKey id={key.id} />}
    >
      {t('key.lastUsed')} <RelativeTime at={key.accessed_time} />
    </ProblemRow>
  ))
}

interface MoreKeysRowProps {
  readonly state: Unusable
  /** Absent from nodes of the version before. */
  readonly count: number | undefined
}

/** Leads to the keys of a state that have no row of their own. */
export function MoreKeysRow({ state, count = 0 }: MoreKeysRowProps) {
  const { t } = useTranslation('dashboard')
  if (count === 0) return null
  return (
    <ProblemRow
      tone="warn"
      title={t(`key.more.${state}`, { count })}
      action={
        <Link to="/token" search={{ status: statusOf[state] }} className={actionLink}>
          {t('key.showAll')}
        </Link>
      }
    />
  )
}

/** Keys that soon will not be usable: time to renew them while programs still run. */
export function ExpiringKeyRows({ keys }: { readonly keys: readonly ExpiringKey[] }) {
  const { t } = useTranslation('dashboard')
  return keys.map(({ key, end }) => (
    <ProblemRow
      key={key.id}
      tone="warn"
      title={key.name}
      word={t(end === 'date' ? 'key.expiresSoon' : 'key.nearlyUsedUp')}
      action={<EditKey id={key.id} />}
    >
      {end === 'date' ? (
        <>
          {t('key.expires')} <RelativeTime at={key.expired_time} upcoming />
        </>
      ) : (
        <>
          {t('key.left')} <Money quota={key.remain_quota} single />
        </>
      )}
    </ProblemRow>
  ))
}

function EditKey({ id }: { readonly id: number }) {
  const { t } = useTranslation('dashboard')
  return (
    <Link to="/token/edit/$id" params={{ id: String(id) }} className={actionLink}>
      {t('key.open')}
    </Link>
  )
}
