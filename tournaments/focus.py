"""Where a refused form is opened again: at the first field that has to be mended."""

from __future__ import annotations

from typing import Any

from django.forms import BoundField, Widget
from django.forms.renderers import DjangoTemplates


class FocusedField(BoundField):
    """A field that takes the keyboard when it is the first one refused: who types goes on typing there."""

    def build_widget_attrs(self, attrs: dict[str, Any], widget: Widget | None = None) -> dict[str, Any]:
        """What Django says of a field, and the focus."""
        built = super().build_widget_attrs(attrs, widget)
        refused = (name for name in self.form.fields if name in self.form.errors)
        if self.form.is_bound and not self.is_hidden and self.name == next(refused, None):
            built["autofocus"] = True
        return built


class Renderer(DjangoTemplates):
    """Django's own forms, with the focus where something is to be mended."""

    bound_field_class = FocusedField
