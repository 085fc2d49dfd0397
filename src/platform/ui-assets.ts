/** The viewer's page, as text. */
export interface UiAssets {
  readonly html: string;
  readonly script: string;
  readonly style: string;
}

// Not a literal, so that the compiler doesn't include it: the page's bundler is no part of the package. The build
// replaces this module by one that contains the finished page.
const BUNDLER: string = "../../.ci/build-ui.ts";

/** Returns the viewer's page; bundles it first when running from source. */
export async function loadUiAssets(): Promise<UiAssets> {
  const { buildUi } = (await import(BUNDLER)) as { buildUi: () => Promise<UiAssets> };
  return buildUi();
}
