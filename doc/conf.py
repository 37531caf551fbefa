# SPDX-License-Identifier: GPL-2.0-only
"""Configuration of the documentation site; `make docs` assembles its sources in build/doc and runs Sphinx there."""

import relnet

project = "relnet"
copyright = "the authors of relnet; GPL-2.0-only"
version = release = relnet.__version__

extensions = ["myst_nb", "sphinx_design", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["modules/*/*.inc"]
default_role = "code"

myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
# Notebooks have been executed when they were copied; pages with cells are executed here.
nb_execution_mode = "auto"
nb_execution_excludepatterns = ["examples/*"]
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_render_image_options = {"alt": "Figure that the code above draws"}

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"relnet {version}"
html_favicon = "icon.png"
html_logo = "icon.png"
html_static_path = ["_static"]
html_css_files = ["relnet.css"]
html_extra_path = ["extra"]
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}
