import { Link } from '@tanstack/react-router'
import { type KeyBrief, tokenStatuses } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Money } from '../../../components/ui/money.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import type { ExpiringKey } from './expiring-keys.ts'
import { actionLink, ProblemRow } from './problem-row.tsx'

/** Keys that programs can no longer use. */
export function KeyRows({ keys }: { readonly keys: readonly KeyBrief[] }) {
  const { t } = useTranslation('dashboard')
  return keys.map((key) => {
    const exhausted = key.status === tokenStatuses.exhausted
    return (
      <ProblemRow
        key={key.id}
        tone={exhausted ? 'bad' : 'warn'}
        title={key.name}
        word={t(exhausted ? 'key.exhausted' : 'key.expired')}
        action={<EditKey id={key.id} />}
      >
        {t('key.lastUsed')} <RelativeTime at={key.accessed_time} />
      </ProblemRow>
    )
  })
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
          {t('key.expires')} <RelativeTime at={key.expired_time} />
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
