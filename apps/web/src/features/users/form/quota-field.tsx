import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Money, MoneyChange } from '../../../components/ui/money.tsx'
import { AddQuotaDialog } from './add-quota-dialog.tsx'
import type { UserForm } from './rules.ts'

export interface QuotaFieldProps {
  readonly form: UseFormReturn<UserForm>
  readonly balance: number
}

/** The balance, and what saving will make of it. It is changed by an amount, so that calls charged meanwhile still count. */
export function QuotaField({ form, balance }: QuotaFieldProps) {
  const { t } = useTranslation('users')
  const [adding, setAdding] = useState(false)
  return (
    <FormField<UserForm, number> form={form} name="quotaChange" label={t('field.balance')}>
      {({ value, onChange }) => (
        <>
          <div className="flex flex-wrap items-center justify-between gap-2 rounded border bg-sunken px-3 py-2 text-sm">
            {value === 0 ? <Money quota={balance} /> : <MoneyChange from={balance} to={balance + value} />}
            <span className="flex gap-1">
              {value !== 0 && (
                <Button size="sm" variant="ghost" onClick={() => onChange(0)}>
                  {t('quota.undo')}
                </Button>
              )}
              <Button size="sm" onClick={() => setAdding(true)}>
                {t('quota.add')}
              </Button>
            </span>
          </div>
          {adding && (
            <AddQuotaDialog
              balance={balance}
              change={value}
              onChange={onChange}
              onClose={() => setAdding(false)}
            />
          )}
        </>
      )}
    </FormField>
  )
}
