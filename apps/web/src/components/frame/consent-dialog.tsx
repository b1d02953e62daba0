import { useQuery } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { request } from '../../lib/api/api-client.ts'
import type { PendingConsent } from '../../lib/session/consent.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field/field.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Select } from '../ui/select/select.tsx'

const groupsQuery = { queryKey: ['consent', 'groups'], queryFn: () => request(calls.groups.list), gcTime: 0 }

/** Says what a change would do to money and people before it is saved, and asks where the members of removed groups go. */
export function ConsentDialog({ pending }: { readonly pending: PendingConsent }): ReactNode {
  const { t } = useTranslation('consent')
  const { message, request: requested, answer } = pending
  const [moves, setMoves] = useState<Readonly<Record<string, string>>>({})
  const isOpen = requested.groups.some((group) => moves[group] === undefined)
  return (
    <Dialog
      open
      onClose={() => answer(undefined)}
      title={t('title')}
      footer={
        <>
          <Button onClick={() => answer(undefined)}>{t('cancel')}</Button>
          <Button
            variant="danger"
            disabled={isOpen}
            onClick={() => answer({ confirmation: requested.confirmation, moves })}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="break-words">{message}</p>
        {requested.groups.length > 0 && (
          <MoveFields
            groups={requested.groups}
            moves={moves}
            onMove={(group, to) => setMoves((chosen) => ({ ...chosen, [group]: to }))}
          />
        )}
      </div>
    </Dialog>
  )
}

interface MoveFieldsProps {
  readonly groups: readonly string[]
  readonly moves: Readonly<Record<string, string>>
  readonly onMove: (group: string, to: string) => void
}

function MoveFields({ groups, moves, onMove }: MoveFieldsProps) {
  const { t } = useTranslation('consent')
  const { data = [] } = useQuery(groupsQuery)
  const left = data.filter((name) => !groups.includes(name))
  return groups.map((group) => (
    <Field key={group} label={t('move', { group })}>
      <Select
        aria-label={t('move', { group })}
        value={moves[group]}
        onValueChange={(to) => onMove(group, to)}
        options={left.map((name) => ({ value: name, label: name }))}
      />
    </Field>
  ))
}
