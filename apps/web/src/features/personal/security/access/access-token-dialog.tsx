import { useQueryClient } from '@tanstack/react-query'
import { type AccessTokenScope, calls } from '@tollgate/api'
import { accountRefusedFields } from '@tollgate/api/refused-fields'
import { useTranslation } from 'react-i18next'
import { FormField, fieldsByCode, TextField, useSaveForm } from '../../../../components/form/index.ts'
import { RadioGroup } from '../../../../components/ui/field/choice.tsx'
import { PresetChips } from '../../../../components/ui/field/preset-chips.tsx'
import { request } from '../../../../lib/api/api-client.ts'
import { secondsNow } from '../../../../lib/server-clock.ts'
import { accessTokensQuery } from '../../api.ts'
import { FormDialog } from '../../form-dialog.tsx'

const daysChoices = ['30', '90', '365', 'never'] as const
type Days = (typeof daysChoices)[number]

interface TokenForm {
  readonly name: string
  readonly scope: AccessTokenScope
  readonly days: Days
}

/** A short life, so that a forgotten token ends by itself. */
const start: TokenForm = { name: '', scope: 'full', days: '90' }
const daySeconds = 86_400

interface AccessTokenDialogProps {
  readonly onClose: () => void
  readonly onCreated: (secret: string) => void
}

/** Names an access token, and says what it may do and for how long. */
export function AccessTokenDialog({ onClose, onCreated }: AccessTokenDialogProps) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const saveForm = useSaveForm({
    start,
    check: ({ name }) => ({ name: name.trim() === '' ? t('tokens.nameMissing') : undefined }),
    save: ({ name, scope, days }) =>
      request(calls.accessTokens.create, { body: { name, scope, expires_at: expiryOf(days) } }),
    fieldOf: fieldsByCode(accountRefusedFields, { name: 'name', expires_at: 'days' }),
    onSaved({ token }) {
      void client.invalidateQueries({ queryKey: accessTokensQuery.queryKey })
      onClose()
      onCreated(token)
    },
  })
  const { form } = saveForm
  return (
    <FormDialog
      saveForm={saveForm}
      size="sm"
      title={t('tokens.addTitle')}
      submitLabel={t('tokens.add')}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="name"
        label={t('tokens.name')}
        required
        input={{ placeholder: t('tokens.nameExample') }}
      />
      <FormField<TokenForm, AccessTokenScope> form={form} name="scope" label={t('tokens.scope.label')}>
        {({ value, onChange }) => (
          <RadioGroup
            value={value}
            onValueChange={onChange}
            options={[
              { value: 'full', label: t('tokens.scope.full'), hint: t('tokens.scope.fullHint') },
              { value: 'read', label: t('tokens.scope.read'), hint: t('tokens.scope.readHint') },
            ]}
          />
        )}
      </FormField>
      <FormField<TokenForm, Days> form={form} name="days" label={t('tokens.expiry.label')}>
        {({ value, onChange }) => (
          <PresetChips
            chips={daysChoices.map((days) => ({
              label: t(`tokens.expiry.${days}`),
              pressed: value === days,
              choose: () => onChange(days),
            }))}
          />
        )}
      </FormField>
    </FormDialog>
  )
}

function expiryOf(days: Days): number {
  return days === 'never' ? 0 : Math.ceil(secondsNow()) + Number(days) * daySeconds
}
