import { useState } from 'react'
import { FormSection } from '../src/components/ui/card.tsx'
import { Field } from '../src/components/ui/field/field.tsx'
import { Input } from '../src/components/ui/field/input.tsx'
import { QuotaInput } from '../src/components/ui/field/quota-input.tsx'
import { Sheet } from '../src/components/ui/overlay/sheet.tsx'
import { MultiSelect } from '../src/components/ui/select/multi-select.tsx'
import { Select } from '../src/components/ui/select/select.tsx'
import { toast } from '../src/lib/toast.ts'

/** A form at the side, as channels and keys are edited. */
export function SheetDemo({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [value, setValue] = useState('default')
  const [models, setModels] = useState<readonly string[]>(['gpt-4o', 'gpt-4o-mini', 'my-model'])
  const [quota, setQuota] = useState<number | undefined>(500_000)
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title="Edit key"
      description="Production API"
      dirty
      onSubmit={() => toast.success('Saved')}
      submitLabel="Save key"
    >
      <div className="flex flex-col gap-4">
        <FormSection id="basic" title="Basics">
          <Field label="Name" required>
            <Input defaultValue="Production API" />
          </Field>
          <Field label="Group">
            <Select
              value={value}
              onValueChange={setValue}
              options={['default', 'vip'].map((name) => ({ value: name, label: name }))}
            />
          </Field>
          <Field label="Quota">
            <QuotaInput value={quota} onValueChange={setQuota} />
          </Field>
        </FormSection>
        <FormSection id="limits" title="Limits" folded>
          <Field label="Models">
            <MultiSelect
              mono
              creatable
              values={models}
              onValuesChange={setModels}
              options={['gpt-4o', 'o3']}
            />
          </Field>
        </FormSection>
      </div>
    </Sheet>
  )
}
