import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { Field } from '../../../../components/ui/field/field.tsx'
import { Textarea } from '../../../../components/ui/field/input.tsx'
import { Dialog } from '../../../../components/ui/overlay/dialog.tsx'

interface KeyTextDialogProps {
  readonly title: string
  readonly label: string
  readonly hint: string
  readonly submitLabel: string
  readonly rows?: number
  readonly text: string
  readonly onText: (text: string) => void
  readonly save: { readonly mutate: () => void; readonly isPending: boolean; readonly error: Error | null }
  readonly onClose: () => void
}

/** Asks for keys as text; what the server refuses is said at the box, where the text stays. */
export function KeyTextDialog(props: KeyTextDialogProps) {
  const { title, label, hint, submitLabel, rows = 2, text, onText, save, onClose } = props
  const { t } = useTranslation('channels')
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t('key.cancel')}</Button>
          <Button
            variant="primary"
            loading={save.isPending}
            disabled={text.trim() === ''}
            onClick={() => save.mutate()}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <Field label={label} hint={hint} error={save.error?.message}>
        <Textarea
          mono
          rows={rows}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      </Field>
    </Dialog>
  )
}
