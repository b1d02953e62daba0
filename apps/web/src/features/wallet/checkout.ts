import type { Checkout } from './api.ts'

/** Leaves for the provider's page: with a form where it takes one, by its address otherwise. */
export function goToCheckout({ url, http_method, fields }: Checkout): void {
  if (http_method === 'GET') {
    window.location.assign(url)
    return
  }
  const form = document.createElement('form')
  form.method = 'POST'
  form.action = url
  form.hidden = true
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  // A field may be called `submit`, and would stand in for the method of the form.
  HTMLFormElement.prototype.submit.call(form)
}
