import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { Input } from '../../components/ui/field/input.tsx'
import { Dialog } from '../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { renameGroup } from './api.ts'

interface RenameGroupProps {
  readonly name: string
  readonly onClose: () => void
  readonly onRenamed: (name: string) => void
}

/** A new name for a group. */
export function RenameGroup({ name, onClose, onRenamed }: RenameGroupProps) {
  const { t } = useTranslation('groups')
  const client = useQueryClient()
  const [typed, setTyped] = useState(name)
  const wanted = typed.trim()
  const rename = useMutation({
    mutationFn: () => renameGroup(client, name, wanted),
    onSuccess: () => onRenamed(wanted),
    meta: { silent: true, successMessage: t('rename.done', { name: wanted }) },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('rename.title', { name })}
      description={t('rename.hint')}
      footer={
        <Button
          variant="primary"
          disabled={wanted === '' || wanted === name}
          loading={rename.isPending}
          onClick={() => rename.mutate()}
        >
          {t('rename.submit')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label={t('field.name')} required>
          <Input mono value={typed} maxLength={100} onChange={(event) => setTyped(event.target.value)} />
        </Field>
        {rename.error && <Notice tone="bad">{rename.error.message}</Notice>}
      </div>
    </Dialog>
  )
}
