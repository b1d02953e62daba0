import { useQuery } from '@tanstack/react-query'
import type { GroupRow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { KeyValue } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { groupUsageQuery } from './api.ts'
import { CallsLink, CountCell, CountLink } from './cells.tsx'

/** Shows who and what is in a group, and what it spent, with links to the lists. */
export function Members({ row: { name, users, tokens, channels } }: { readonly row: GroupRow }) {
  const { t } = useTranslation('groups')
  const seesCalls = hasPart(useUser(), 'log')
  const { data: usage } = useQuery({ ...groupUsageQuery, enabled: seesCalls })
  const spent = usage?.find((sums) => sums.name === name)
  return (
    <section aria-label={t('members')} className="rounded border bg-sunken px-3 py-2.5">
      <KeyValue
        items={[
          { label: t('column.users'), value: <CountLink group={name} count={users} of="users" /> },
          { label: t('column.tokens'), value: <CountCell count={tokens} /> },
          { label: t('column.channels'), value: <CountLink group={name} count={channels} of="channels" /> },
          ...(usage === undefined
            ? []
            : [
                {
                  label: t('column.calls'),
                  value: <CallsLink usage={spent} />,
                },
                { label: t('column.quota'), value: <Money quota={spent?.quota ?? 0} single /> },
              ]),
        ]}
      />
    </section>
  )
}
