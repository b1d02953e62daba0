import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, type ModelRenaming } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { Input } from '../../components/ui/field/input.tsx'
import { Dialog } from '../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { localList } from '../../i18n/local-list.ts'
import { request } from '../../lib/api/api-client.ts'
import { formatInteger } from '../../lib/format/format.ts'

interface RenameDialogProps {
  readonly model: string
  readonly onClose: () => void
  readonly onRenamed: () => void
}

/** A new name of a model: first what it changes, then the step itself. */
export function RenameDialog({ model, onClose, onRenamed }: RenameDialogProps) {
  const { t } = useTranslation('models')
  const client = useQueryClient()
  const [name, setName] = useState(model)
  const body = { model_name: model, new_name: name }
  const preview = useMutation({
    mutationFn: () => request(calls.modelNames.preview, { body }),
    meta: { silent: true },
  })
  const rename = useMutation({
    mutationFn: () => request(calls.modelNames.rename, { body }),
    onSuccess: onRenamed,
    onSettled: () => client.invalidateQueries(),
    meta: { silent: true, successMessage: t('rename.done', { model, name }) },
  })
  const problem = preview.error ?? rename.error
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('rename.title', { model })}
      description={t('rename.hint')}
      footer={
        preview.data ? (
          <Button variant="primary" loading={rename.isPending} onClick={() => rename.mutate()}>
            {t('rename.submit')}
          </Button>
        ) : (
          <Button
            variant="primary"
            disabled={name.trim() === '' || name === model}
            loading={preview.isPending}
            onClick={() => preview.mutate()}
          >
            {t('rename.preview')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <Field label={t('rename.name')} required>
          <Input
            value={name}
            maxLength={200}
            onChange={(event) => {
              preview.reset()
              setName(event.target.value)
            }}
          />
        </Field>
        {preview.data && <Occurrences renaming={preview.data} />}
        {problem && <Notice tone="bad">{problem.message}</Notice>}
      </div>
    </Dialog>
  )
}

function Occurrences({ renaming: { channels, options, tokens } }: { readonly renaming: ModelRenaming }) {
  const { t } = useTranslation('models')
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
      {channels.length > 0 && (
        <li className="break-words">
          {t('rename.channels', { names: localList(channels.map(({ id, name }) => `${name} (${id})`)) })}
        </li>
      )}
      {options.length > 0 && (
        <li className="break-words">{t('rename.options', { names: localList(options) })}</li>
      )}
      {tokens > 0 && <li>{t('rename.tokens', { count: tokens, tokens: formatInteger(tokens) })}</li>}
    </ul>
  )
}
