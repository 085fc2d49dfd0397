/** The viewer's page, as text. */
export interface UiAssets {
  readonly html: string;
  readonly script: string;
  readonly style: string;
}

// Not a literal for the compiler's sake: the bundler of the page is no part of the package. The build
// replaces this module by one that holds the finished page.
const BUNDLER: string = "../../.ci/build-ui.ts";

/** Gives the viewer's page; bundles it first when running from source. */
export async function loadUiAssets(): Promise<UiAssets> {
  const { buildUi } = (await import(BUNDLER)) as { buildUi: () => Promise<UiAssets> };
  return buildUi();
}
