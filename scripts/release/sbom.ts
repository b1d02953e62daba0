import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'
import parseSpdx from 'spdx-expression-parse'
import type { BundledPackage } from '../ship/bundled-packages.ts'

const licences = new Contrib.License.Factories.LicenseFactory(parseSpdx)

/** Lists what a release contains, as CycloneDX 1.6 in JSON: the packages of others by name, version and licence. */
export function sbomOf(version: string, packages: readonly BundledPackage[]): string {
  const bom = new Models.Bom()
  const tollgate = new Models.Component(Enums.ComponentType.Application, 'tollgate', { version })
  tollgate.purl = purlOf('tollgate', version)
  bom.metadata.component = tollgate
  bom.metadata.timestamp = new Date()
  for (const { name, version: used, license, homepage } of packages) {
    const [base = '', group] = name.split('/').reverse()
    const component = new Models.Component(Enums.ComponentType.Library, base, {
      version: used,
      ...(group !== undefined && { group }),
    })
    component.purl = purlOf(name, used)
    component.bomRef.value = component.purl
    component.licenses.add(licences.makeFromString(license))
    if (homepage !== undefined)
      component.externalReferences.add(
        new Models.ExternalReference(homepage, Enums.ExternalReferenceType.Website),
      )
    bom.components.add(component)
    tollgate.dependencies.add(component.bomRef)
  }
  const normalize = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return new Serialize.JsonSerializer(normalize).serialize(bom, { sortLists: true, space: 2 })
}

function purlOf(fullName: string, version: string): string {
  const [name = '', namespace] = fullName.split('/').reverse()
  return new PackageURL('npm', namespace, name, version, undefined, undefined).toString()
}
