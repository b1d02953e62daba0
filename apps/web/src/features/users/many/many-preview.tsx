import type { ManyUsersPreview } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Money, MoneyChange } from '../../../components/ui/money.tsx'
import { localList } from '../../../i18n/local-list.ts'
import { formatInteger } from '../../../lib/format/format.ts'

/** Shows whom a change of many changes, from what to what, and whom it leaves out for which reason. */
export function ManyPreview({ preview }: { readonly preview: ManyUsersPreview }) {
  const { t } = useTranslation(['users', 'common'])
  const { changed, amount, users, left_out: leftOut } = preview
  return (
    <div className="flex flex-col gap-2 rounded border bg-sunken px-3 py-2.5">
      <p className="flex flex-wrap justify-between gap-2 font-medium text-sm" aria-live="polite">
        {t('many.changed', { count: changed, users: formatInteger(changed) })}
        {amount !== 0 && <Money quota={amount} single />}
      </p>
      {leftOut.map(({ reason, count, usernames }) => (
        <p key={reason} className="wrap-anywhere text-muted text-xs">
          {t('common:named', {
            name: t(`many.leftOut.${reason}`, { count }),
            value: localList(usernames),
          })}
          {count > usernames.length && ' …'}
        </p>
      ))}
      {users.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard
        <section aria-label={t('many.preview')} tabIndex={0} className="max-h-48 overflow-auto border-t pt-1">
          <ul className="text-sm">
            {users.map(({ id, username, before, after }) => (
              <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1">
                <span className="wrap-anywhere">{username}</span>
                <Change before={before} after={after} />
              </li>
            ))}
            {changed > users.length && (
              <li className="py-1 text-muted text-xs">{t('many.more', { count: changed - users.length })}</li>
            )}
          </ul>
        </section>
      )}
    </div>
  )
}

type State = ManyUsersPreview['users'][number]['before']

function Change({ before, after }: { readonly before: State; readonly after: State }) {
  if (after.quota !== undefined) return <MoneyChange from={before.quota ?? 0} to={after.quota} />
  const { group: _group, quota: _quota, ...limits } = after
  return (
    <span className="figures text-muted">
      {after.group === undefined ? limitText(before, limits) : `${before.group} → ${after.group}`}
    </span>
  )
}

function limitText(before: State, limits: Partial<Record<string, number>>): string {
  return Object.entries(limits)
    .map(([name, limit = 0]) => `${before[name as 'concurrency'] ?? 0} → ${limit}`)
    .join(' · ')
}
