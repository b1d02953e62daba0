import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FormField, FormSheet, TextField, useSaveForm } from '../../../../components/form/index.ts'
import { RadioGroup } from '../../../../components/ui/field/choice.tsx'
import {
  chargeOf,
  convertedPrices,
  type PriceForm,
  priceProblems,
  startPriceForm,
} from '../../model/price-form.ts'
import { type ModelPriceRow, type PriceMaps, withPrice } from '../../model/prices.ts'

export interface PriceSheetProps {
  /** Left out for a new model. */
  readonly row: ModelPriceRow | undefined
  readonly maps: PriceMaps
  readonly onChange: (maps: PriceMaps) => void
  readonly onClose: () => void
}

/** Edits the price of one model: by the call or by the token, as ratios or as prices. */
export function PriceSheet({ row, maps, onChange, onClose }: PriceSheetProps) {
  const { t } = useTranslation('settings')
  const saveForm = useSaveForm<PriceForm, void>({
    start: startPriceForm(row),
    check: (values) => {
      const taken = (model: string) =>
        row === undefined && [maps.perCall, maps.ratio, maps.completion].some((map) => map.has(model))
      return Object.fromEntries(
        Object.entries(priceProblems(values, taken)).map(([name, code]) => [
          name,
          t(`pricing.problem.${code}`),
        ]),
      )
    },
    // Nothing is sent: the page's own save button does that.
    save: async (values) => onChange(withPrice(maps, values.model.trim(), chargeOf(values))),
    onSaved: onClose,
  })
  const { form } = saveForm
  const values = useWatch({ control: form.control }) as PriceForm

  return (
    <FormSheet
      saveForm={saveForm}
      title={row ? t('pricing.editTitle') : t('pricing.add')}
      submitLabel={t('pricing.apply')}
      onClose={onClose}
    >
      <TextField<PriceForm>
        form={form}
        name="model"
        label={t('pricing.model')}
        required
        input={{ mono: true, disabled: row !== undefined }}
      />
      <PriceModes form={form} mode={values.mode} />
      {fieldsOf(values).map(([name, hint]) => (
        <TextField<PriceForm>
          key={name}
          form={form}
          name={name}
          label={t(`pricing.field.${name}`)}
          hint={t(`pricing.hint.${hint}`)}
          input={{ inputMode: 'decimal' }}
        />
      ))}
    </FormSheet>
  )
}

interface PriceModesProps {
  readonly form: UseFormReturn<PriceForm>
  readonly mode: PriceForm['mode']
}

/** Chooses a price by the call or by the token; by the token as ratios or as prices. */
function PriceModes({ form, mode }: PriceModesProps) {
  const { t } = useTranslation('settings')

  /** The other way to say the price shows the same price. */
  function turn(by: PriceForm['by']): void {
    for (const [name, text] of Object.entries(convertedPrices(form.getValues())))
      form.setValue(name as 'ratio' | 'completion' | 'input' | 'output', text)
    form.setValue('by', by)
  }

  return (
    <>
      <FormField<PriceForm, PriceForm['mode']> form={form} name="mode" label={t('pricing.mode')}>
        {({ value, onChange }) => (
          <RadioGroup
            value={value}
            onValueChange={onChange}
            options={[
              { value: 'token', label: t('pricing.byToken') },
              { value: 'call', label: t('pricing.byCall') },
            ]}
          />
        )}
      </FormField>
      {mode === 'token' && (
        <FormField<PriceForm, PriceForm['by']> form={form} name="by" label={t('pricing.saidAs')}>
          {({ value }) => (
            <RadioGroup
              value={value}
              onValueChange={turn}
              options={[
                { value: 'ratio', label: t('pricing.byRatio') },
                { value: 'price', label: t('pricing.byPrice') },
              ]}
            />
          )}
        </FormField>
      )}
    </>
  )
}

function fieldsOf({ mode, by }: PriceForm) {
  if (mode === 'call') return [['perCall', 'perCall']] as const
  return by === 'ratio'
    ? ([
        ['ratio', 'ratio'],
        ['completion', 'completion'],
      ] as const)
    : ([
        ['input', 'input'],
        ['output', 'output'],
      ] as const)
}
